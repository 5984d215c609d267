# SPDX-License-Identifier: Apache-2.0
# doc2s::mpi lets a program run over the processes that mpirun starts. The linker is told to take it in, for nothing else names it.
file(GLOB mpi_sources CONFIGURE_DEPENDS src/transport/mpi/*.cpp)
add_library(doc2s_mpi STATIC ${mpi_sources})
target_link_libraries(doc2s_mpi PRIVATE $<BUILD_INTERFACE:doc2s_flags> $<BUILD_INTERFACE:doc2s_headers> PUBLIC doc2s MPI::MPI_CXX)
target_link_options(doc2s_mpi INTERFACE LINKER:--undefined=doc2s_mpi_linked)
