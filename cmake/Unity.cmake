# SPDX-License-Identifier: Apache-2.0
# The sources of a folder are compiled as one, which takes less than half of the processor time. Two files of a folder may then not have
# the same name in their namespace {}: the compiler says so, and a better name mends it. These are compiled apart, for such a
# name, and command_line because CLI11 takes half of the time of app/.
set(apart unpacker torch_kinds certificate_file theory_in_force run_figures sweep_command command_line)

function(doc2s_unity target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "^\\$<")  # objects of the kernels
  foreach(source ${sources})
    cmake_path(GET source STEM name)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    if(NOT name IN_LIST apart)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
