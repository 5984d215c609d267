# SPDX-License-Identifier: Apache-2.0
# The commands are a library too, so that a user's own program can have them; the program `doc2s` is its first user.
file(GLOB command_sources CONFIGURE_DEPENDS app/*.cpp)
list(FILTER command_sources EXCLUDE REGEX "/main\\.cpp$")
add_library(doc2s_commands STATIC ${command_sources})
file(RELATIVE_PATH share_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/doc2s)
target_compile_definitions(doc2s_commands PRIVATE DOC2S_SHARE_FROM_PROGRAM="${share_from_program}")
target_link_libraries(doc2s_commands PRIVATE $<BUILD_INTERFACE:doc2s_flags> $<BUILD_INTERFACE:doc2s_headers> doc2s_bench PUBLIC doc2s)

# What users link: the engine and the commands.
add_library(doc2s_all INTERFACE)
target_link_libraries(doc2s_all INTERFACE doc2s_commands doc2s)
add_library(doc2s::doc2s ALIAS doc2s_all)

add_executable(doc2s_program app/main.cpp)
set_target_properties(doc2s_program PROPERTIES OUTPUT_NAME doc2s)
cmake_path(SET lab ${PROJECT_SOURCE_DIR}/lab)
cmake_path(RELATIVE_PATH lab BASE_DIRECTORY ${PROJECT_BINARY_DIR})  # the checkout may be moved
file(CREATE_LINK ${lab} ${PROJECT_BINARY_DIR}/lab SYMBOLIC)         # scripts that the program starts
target_link_libraries(doc2s_program PRIVATE doc2s::doc2s doc2s_flags $<$<BOOL:${DOC2S_MPI}>:doc2s_mpi>)
