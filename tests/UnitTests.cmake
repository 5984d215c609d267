# SPDX-License-Identifier: Apache-2.0
# doc2s_add_unit_tests(NAME LIBRARY PREFIX LABEL [FILE…]): those in tests/unit, or some of them, each a test PREFIX…; but for those that `left_out`,
# a filter of GoogleTest, names.
include(GoogleTest)
set(unit_folder ${CMAKE_CURRENT_LIST_DIR}/unit)
set(app_folder ${CMAKE_CURRENT_LIST_DIR}/../app)
file(GLOB unit_sources CONFIGURE_DEPENDS ${unit_folder}/*.cpp)

function(doc2s_add_unit_tests name library prefix label)
  set(sources ${ARGN})
  if(NOT sources)
    set(sources ${unit_sources} ${app_folder}/demo_story.cpp ${app_folder}/numbers.cpp)
  endif()
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${app_folder})
  target_link_libraries(${name} PRIVATE ${library} doc2s_flags doc2s_headers GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE DOC2S_ALL_TESTS=$<STREQUAL:${DOC2S_TESTS},ALL>)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)  # they check more than they compute
  target_precompile_headers(${name} PRIVATE <gtest/gtest.h> <algorithm> <cmath> <filesystem> <map> <set>)
  gtest_discover_tests(${name} TEST_PREFIX ${prefix} TEST_FILTER "${left_out}" DISCOVERY_TIMEOUT 900 PROPERTIES LABELS ${label} TIMEOUT 3600)
endfunction()

# The files of tests/unit that say "Also under the thread sanitizer" in a comment.
function(doc2s_find_tests_of_threads found)
  set(marked "")
  foreach(source ${unit_sources})
    file(STRINGS ${source} mark REGEX "^// Also under the thread sanitizer" LIMIT_COUNT 1)
    if(mark)
      list(APPEND marked ${source})
    endif()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${unit_sources})
  set(${found} ${marked} PARENT_SCOPE)
endfunction()
