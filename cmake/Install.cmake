# cmake --install: the program, the library, its headers and a package for find_package(doc2s).
include(CMakePackageConfigHelpers)
install(TARGETS doc2s_program)
if(DOC2S_TORCH)
  install(TARGETS doc2s_torch DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(TARGETS doc2s EXPORT doc2s-targets)
install(DIRECTORY include/doc2s DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/doc2s)
install(EXPORT doc2s-targets NAMESPACE doc2s:: DESTINATION ${package_directory})
configure_package_config_file(cmake/doc2s-config.cmake.in ${PROJECT_BINARY_DIR}/doc2s-config.cmake
                              INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/doc2s-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/doc2s-config.cmake ${PROJECT_BINARY_DIR}/doc2s-config-version.cmake
        DESTINATION ${package_directory})
