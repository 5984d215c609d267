# SPDX-License-Identifier: Apache-2.0
# The Python package: build/…/python/doc2s has the module _core beside links to python/doc2s/*, so a PYTHONPATH is enough to use it.
file(GLOB python_sources CONFIGURE_DEPENDS python/core/*.cpp)
set(python_package ${PROJECT_BINARY_DIR}/python/doc2s)
pybind11_add_module(doc2s_python MODULE NO_EXTRAS ${python_sources})
set_target_properties(doc2s_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${python_package})
target_include_directories(doc2s_python PRIVATE ${PROJECT_SOURCE_DIR}/app)
target_link_libraries(doc2s_python PRIVATE doc2s_commands doc2s doc2s_flags doc2s_headers $<$<BOOL:${DOC2S_MPI}>:doc2s_mpi>)
target_link_options(doc2s_python PRIVATE LINKER:--exclude-libs,ALL)  # nothing of ours is seen by other modules

file(GLOB python_files CONFIGURE_DEPENDS python/doc2s/*.py python/doc2s/*.pyi python/doc2s/py.typed)
file(MAKE_DIRECTORY ${python_package})
foreach(file ${python_files})
  cmake_path(GET file FILENAME name)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${python_package})  # the checkout may be moved
  file(CREATE_LINK ${file} ${python_package}/${name} SYMBOLIC)
endforeach()
