# SPDX-License-Identifier: Apache-2.0
# libdoc2s_torch.so is the only target that uses libtorch. The program opens it on demand, because libtorch takes half
# a second to load. It has its own copy of the doc2s code it uses and exports only its entry points.
add_library(doc2s_torch MODULE ${torch_sources})
doc2s_add_kernels(doc2s_torch ${torch_kernels})
set_target_properties(doc2s_torch PROPERTIES CXX_VISIBILITY_PRESET hidden)
target_include_directories(doc2s_torch PRIVATE include)
target_include_directories(doc2s_torch SYSTEM PRIVATE ${TORCH_INCLUDE_DIRS})
target_link_libraries(doc2s_torch PRIVATE doc2s_flags doc2s_headers fmt::fmt ${TORCH_LIBRARIES})
target_link_options(doc2s_torch PRIVATE -Wl,--no-undefined)
