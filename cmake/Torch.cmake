# libdoc2s_torch.so: the only place that sees libtorch. The program opens it when a problem needs it, for libtorch
# takes half a second to load. It has a copy of what it uses of doc2s, and shows nothing but its entry.
file(GLOB torch_sources CONFIGURE_DEPENDS src/problems/torch/*.cpp)
add_library(doc2s_torch MODULE ${torch_sources})
set_target_properties(doc2s_torch PROPERTIES CXX_VISIBILITY_PRESET hidden)
target_include_directories(doc2s_torch SYSTEM PRIVATE ${TORCH_INCLUDE_DIRS})
target_link_libraries(doc2s_torch PRIVATE doc2s doc2s_flags doc2s_headers ${TORCH_LIBRARIES})
target_link_options(doc2s_torch PRIVATE -Wl,--exclude-libs,libdoc2s.a)
