# What `cmake --install` brings: the command, the library, its headers, a CMake package and a pkg-config file.
# The installed tree may be moved: nothing in it holds an absolute path of ours.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/leafscore)
set_target_properties(leafscore PROPERTIES VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
if(BUILD_SHARED_LIBS)
  set_target_properties(leafscore_cli PROPERTIES INSTALL_RPATH $ORIGIN/${bin_to_lib})
endif()

install(TARGETS leafscore_cli)
install(TARGETS leafscore EXPORT leafscoreTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/leafscore DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
install(EXPORT leafscoreTargets NAMESPACE leafscore:: DESTINATION ${package_dir})
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The command describes itself, where this machine can run it.
if(NOT CMAKE_CROSSCOMPILING)
  set(described ${PROJECT_BINARY_DIR}/leafscore.1 ${PROJECT_BINARY_DIR}/leafscore.bash ${PROJECT_BINARY_DIR}/_leafscore
      ${PROJECT_BINARY_DIR}/leafscore.fish)
  add_custom_command(OUTPUT ${described} DEPENDS leafscore_cli VERBATIM
                     COMMAND leafscore_cli --man > ${PROJECT_BINARY_DIR}/leafscore.1
                     COMMAND leafscore_cli completions bash > ${PROJECT_BINARY_DIR}/leafscore.bash
                     COMMAND leafscore_cli completions zsh > ${PROJECT_BINARY_DIR}/_leafscore
                     COMMAND leafscore_cli completions fish > ${PROJECT_BINARY_DIR}/leafscore.fish)
  add_custom_target(leafscore_described ALL DEPENDS ${described})
  install(FILES ${PROJECT_BINARY_DIR}/leafscore.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/leafscore.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME leafscore)
  install(FILES ${PROJECT_BINARY_DIR}/_leafscore DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${PROJECT_BINARY_DIR}/leafscore.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

configure_package_config_file(cmake/leafscoreConfig.cmake.in leafscoreConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(leafscoreConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/leafscoreConfig.cmake ${PROJECT_BINARY_DIR}/leafscoreConfigVersion.cmake
        DESTINATION ${package_dir})

file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
if(LEAFSCORE_CUDA)
  set(cuda_libs "${CUDA_cudart_static_LIBRARY} -lpthread -ldl -lrt")
endif()
configure_file(cmake/leafscore.pc.in leafscore.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/leafscore.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
