# SPDX-License-Identifier: Apache-2.0
# The kernels, src/*/*_kernels.cpp, are compiled once for each instruction set: in a build for any x86-64 for the baseline and for AVX2,
# of which the program chooses when it starts; with DOC2S_NATIVE for this machine alone. Tests compare all of them, so a build with tests
# has all.
set(kernel_sets "")
if(NOT DOC2S_NATIVE OR DOC2S_TESTS)
  list(APPEND kernel_sets baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(APPEND kernel_sets avx2)
  endif()
endif()
if(DOC2S_NATIVE)
  list(APPEND kernel_sets native)
endif()

set(kernel_sources ${library_sources})
list(FILTER kernel_sources INCLUDE REGEX "_kernels\\.cpp$")
list(FILTER library_sources EXCLUDE REGEX "_kernels\\.cpp$")
set(tag_baseline Baseline)
set(tag_avx2 Avx2)
set(tag_native Native)
foreach(set baseline avx2 native)
  string(TOUPPER ${set} name)
  target_compile_definitions(doc2s_flags INTERFACE "DOC2S_${name}_KERNELS=$<IN_LIST:${set},${kernel_sets}>")
endforeach()

# doc2s_add_kernels(TARGET FILE…) adds their objects for all sets, compiled otherwise as the target is.
function(doc2s_add_kernels target)
  get_target_property(kind ${target} TYPE)
  foreach(set ${kernel_sets})
    set(objects ${target}_${set})
    add_library(${objects} OBJECT ${ARGN})
    if(NOT set STREQUAL native)
      set_target_properties(${objects} PROPERTIES for_any_machine ON)
    endif()
    if(kind STREQUAL MODULE_LIBRARY)
      set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
    endif()
    target_include_directories(${objects} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_compile_definitions(${objects} PRIVATE DOC2S_KERNEL_SET=${tag_${set}} $<TARGET_PROPERTY:${target},INTERFACE_COMPILE_DEFINITIONS>)
    # Without optimisation, functions of the standard library would stay in the objects and be taken for those of all.
    target_compile_options(${objects} PRIVATE $<$<STREQUAL:${set},avx2>:-mavx2> $<$<CONFIG:Debug>:-O1>
                           $<TARGET_PROPERTY:${target},INTERFACE_COMPILE_OPTIONS>)
    target_link_libraries(${objects} PRIVATE doc2s_flags doc2s_headers)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
endfunction()
