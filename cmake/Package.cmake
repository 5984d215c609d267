# SPDX-License-Identifier: Apache-2.0
# cmake --build BUILD --target package: Debian packages, a component each (Install.cmake). `cmake --preset package` has all four.
set(DOC2S_MAINTAINER "The doc2s developers <doc2s@example.org>" CACHE STRING "Who hands the packages on: name and address")
set(package_release 1)
set(package_version ${PROJECT_VERSION}-${package_release})
set(package_date "Wed, 18 Nov 2026 12:00:00 +0000")  # of this version

# Packages are for any x86-64, and their folders are Debian's.
if(DOC2S_NATIVE OR NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  add_custom_target(package COMMAND ${CMAKE_COMMAND} -E echo "doc2s: packages need a build with DOC2S_NATIVE=OFF and CMAKE_INSTALL_PREFIX=/usr: cmake --preset package && cmake --build --preset package"
                    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()

# The manual is what --help says. It is made at this time because help2man has to start the program.
find_program(DOC2S_HELP2MAN help2man)
install(CODE "set(script \"${PROJECT_SOURCE_DIR}/packaging/man_pages.sh\")
set(pages \"${PROJECT_BINARY_DIR}/man\")
execute_process(COMMAND bash \${script} $<TARGET_FILE:doc2s_program> \${pages} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB files \${pages}/*.gz)
file(INSTALL \${files} DESTINATION \${CMAKE_INSTALL_PREFIX}/share/man/man1)" COMPONENT command EXCLUDE_FROM_ALL)

# What Debian wants to know of every package: whose it is, and what changed.
set(package_documents ${PROJECT_BINARY_DIR}/packaging)
file(READ NOTICE notice)
configure_file(packaging/copyright.in ${package_documents}/copyright @ONLY)
configure_file(packaging/changelog.in ${package_documents}/changelog.Debian @ONLY)
configure_file(CHANGELOG.md ${package_documents}/changelog COPYONLY)
foreach(log changelog changelog.Debian)
  execute_process(COMMAND gzip -9nc ${package_documents}/${log} OUTPUT_FILE ${package_documents}/${log}.gz COMMAND_ERROR_IS_FATAL ANY)
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS NOTICE CHANGELOG.md pyproject.toml)

# doc2s_package(COMPONENT NAME SECTION SUMMARY TEXT)
set(CPACK_COMPONENTS_ALL "")
macro(doc2s_package component name section summary text)
  string(TOUPPER ${component} key)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section})
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${summary}\n${text}")
  install(FILES ${package_documents}/copyright ${package_documents}/changelog.gz ${package_documents}/changelog.Debian.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
endmacro()

set(all_of_it "Clients on a network minimise a nonsmooth nonconvex function together.
Each keeps its own data, and there is no server. doc2s implements DOC2S
(decentralised online-to-nonconvex conversion with client sampling) and what
it is compared with, repeatable bit for bit on any number of threads or MPI
processes.")
doc2s_package(command doc2s science "decentralised nonsmooth nonconvex optimisation"
              "${all_of_it}\n.\nThis package has the command doc2s, which also runs under mpirun.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "openmpi-bin, python3, python3-pil")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "doc2s-torch, dataset-fashion-mnist, python3-matplotlib")

doc2s_package(library libdoc2s-dev libdevel "decentralised nonsmooth nonconvex optimisation: C++ library"
              "${all_of_it}\n.\nThis package has the static library, its headers, a CMake package for
find_package(doc2s), and examples.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "libc6-dev, libstdc++-12-dev | libstdc++-dev, libfmt-dev, libarchive-dev, zlib1g-dev, libssl-dev")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "doc2s (= ${package_version}), cmake, g++")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS "libopenmpi-dev")
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libdoc2s-dev/examples COMPONENT library EXCLUDE_FROM_ALL
        PATTERN python EXCLUDE PATTERN *.ipynb EXCLUDE)

if(DOC2S_TORCH)
  doc2s_package(torch doc2s-torch science "decentralised nonsmooth nonconvex optimisation: neural networks"
                "${all_of_it}\n.\nThis package lets doc2s train ResNet-18 and TorchScript models, by libtorch.")
  set(CPACK_DEBIAN_TORCH_PACKAGE_DEPENDS "doc2s (= ${package_version}) | python3-doc2s (= ${package_version})")
endif()

if(DOC2S_PYTHON)
  doc2s_package(python python3-doc2s python "decentralised nonsmooth nonconvex optimisation: Python package"
                "${all_of_it}\n.\nThis package has the Python package doc2s.")
  math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${Python3_VERSION_MINOR}~), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "doc2s-torch (= ${package_version}), python3-matplotlib, python3-networkx, python3-pandas, python3-scipy, python3-torch, python3-tqdm")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/postinst ${PROJECT_SOURCE_DIR}/packaging/prerm)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  cmake_path(GET python_directory PARENT_PATH python_packages)
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/packaging/metadata.py ${PROJECT_SOURCE_DIR}/pyproject.toml ${PROJECT_VERSION}
                  OUTPUT_FILE ${package_documents}/METADATA COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${package_documents}/METADATA DESTINATION ${python_packages}/doc2s-${PROJECT_VERSION}.dist-info COMPONENT python EXCLUDE_FROM_ALL)
  set(python_examples ${CMAKE_INSTALL_DATADIR}/doc/python3-doc2s/examples)
  install(DIRECTORY examples/python/ DESTINATION ${python_examples} COMPONENT python EXCLUDE_FROM_ALL)
  install(FILES examples/first.ipynb DESTINATION ${python_examples} COMPONENT python EXCLUDE_FROM_ALL)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${DOC2S_MAINTAINER}")
set(CPACK_PACKAGE_NAME doc2s)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # or the project's would stand before each package's own
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${package_release})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
include(CPack)
