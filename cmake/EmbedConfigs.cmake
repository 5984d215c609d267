# SPDX-License-Identifier: Apache-2.0
# Embeds the configs of `doc2s reproduce` as strings, so that an installed program needs no other file.
set(embedded_configs "")
foreach(name a9a rcv1 mnist fashion-mnist cifar10 cifar100 scaling theorem)
  set(config_text "")
  doc2s_append_text(config_text ${PROJECT_SOURCE_DIR}/configs/reproduce/${name}.toml)
  string(REPLACE "-" "_" variable ${name})
  string(APPEND embedded_configs "extern const char* const ${variable} = R\"doc2s(${config_text})doc2s\";\n\n")
endforeach()
configure_file(src/study/reproduce/embedded_configs.cpp.in ${PROJECT_BINARY_DIR}/generated/embedded_configs.cpp @ONLY)
list(APPEND library_sources ${PROJECT_BINARY_DIR}/generated/embedded_configs.cpp)
