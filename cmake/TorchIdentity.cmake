# SPDX-License-Identifier: Apache-2.0
# The sources of libdoc2s_torch.so, and a hash of them and of all our headers that they take in. The program and the library both bear
# it: a library from other sources may lay out its structures otherwise, so it is refused before anything of it is called.
file(GLOB torch_sources CONFIGURE_DEPENDS src/problems/torch/*.cpp)
list(APPEND torch_sources ${PROJECT_SOURCE_DIR}/src/base/error.cpp ${PROJECT_SOURCE_DIR}/src/base/kernels.cpp
     ${PROJECT_SOURCE_DIR}/src/base/random.cpp ${PROJECT_SOURCE_DIR}/src/base/text.cpp
     ${PROJECT_SOURCE_DIR}/src/problems/inputs_problem.cpp ${PROJECT_SOURCE_DIR}/src/problems/pixel_moments.cpp ${PROJECT_SOURCE_DIR}/src/problems/problem.cpp)
set(torch_kernels ${PROJECT_SOURCE_DIR}/src/base/normal_kernels.cpp ${PROJECT_SOURCE_DIR}/src/base/vectors_kernels.cpp)

# Appends to `found` what a file includes from here: beside itself, in src/ or in include/.
function(doc2s_append_includes file)
  file(STRINGS ${file} lines REGEX "^#include \"")
  cmake_path(GET file PARENT_PATH folder)
  foreach(line ${lines})
    string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" name "${line}")
    foreach(place ${folder} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
      cmake_path(ABSOLUTE_PATH name BASE_DIRECTORY ${place} NORMALIZE OUTPUT_VARIABLE header)
      if(EXISTS ${header} AND NOT header IN_LIST found)
        list(APPEND found ${header})
        doc2s_append_includes(${header})
      endif()
    endforeach()
  endforeach()
  set(found ${found} PARENT_SCOPE)
endfunction()

set(found ${torch_sources} ${torch_kernels})
foreach(source ${found})
  doc2s_append_includes(${source})
endforeach()
list(SORT found)
set(hashes "")
foreach(file ${found})
  file(SHA256 ${file} hash)
  string(APPEND hashes "${hash} ")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${found})
string(SHA256 torch_hash "${hashes}")
configure_file(src/problems/torch_identity.cpp.in ${PROJECT_BINARY_DIR}/generated/torch_identity.cpp @ONLY)
list(APPEND torch_sources ${PROJECT_BINARY_DIR}/generated/torch_identity.cpp)
list(APPEND library_sources ${PROJECT_BINARY_DIR}/generated/torch_identity.cpp)
