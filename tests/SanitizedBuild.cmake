# SPDX-License-Identifier: Apache-2.0
# tests/sanitized and fuzz/ configured once more with clang++; their tests join ours.
include(ExternalProject)
include(ProcessorCount)
ProcessorCount(cores)
set(sanitized_build ${PROJECT_BINARY_DIR}/sanitized)
set(DOC2S_FUZZ_SECONDS 8 CACHE STRING "How long each fuzzer runs as a test")

ExternalProject_Add(sanitized
  SOURCE_DIR ${PROJECT_SOURCE_DIR}
  BINARY_DIR ${sanitized_build}
  PREFIX ${sanitized_build}/step
  CMAKE_ARGS -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${DOC2S_CLANG} -DDOC2S_SANITIZED=ON -DDOC2S_TESTS=ALL
             -DDOC2S_FUZZ_SECONDS=${DOC2S_FUZZ_SECONDS}
  BUILD_COMMAND ${CMAKE_COMMAND} --build ${sanitized_build} --parallel ${cores}
  INSTALL_COMMAND ""
  BUILD_ALWAYS ON)

set(joined ${CMAKE_CURRENT_BINARY_DIR}/sanitized_tests.cmake)
file(WRITE ${joined} "
foreach(folder tests/sanitized fuzz)
  if(EXISTS \"${sanitized_build}/\${folder}/CTestTestfile.cmake\")
    include(\"${sanitized_build}/\${folder}/CTestTestfile.cmake\")
  else()
    add_test(\${folder}_NOT_BUILT \${folder}_NOT_BUILT)
  endif()
endforeach()
")
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${joined})
