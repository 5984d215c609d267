# SPDX-License-Identifier: Apache-2.0
# The tasks of `doc2s bench`. Their Python competitors are embedded as strings.
foreach(script numpy_loop replay_draws)
  doc2s_append_text(${script} ${PROJECT_SOURCE_DIR}/bench/a9a/${script}.py)
endforeach()
configure_file(bench/python_text.cpp.in ${PROJECT_BINARY_DIR}/generated/python_text.cpp @ONLY)

file(GLOB_RECURSE bench_sources CONFIGURE_DEPENDS bench/*.cpp)
add_library(doc2s_bench STATIC ${bench_sources} ${PROJECT_BINARY_DIR}/generated/python_text.cpp)
target_include_directories(doc2s_bench PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/bench>)
target_link_libraries(doc2s_bench PRIVATE $<BUILD_INTERFACE:doc2s_flags> $<BUILD_INTERFACE:doc2s_headers> PUBLIC doc2s)
