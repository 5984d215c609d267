# SPDX-License-Identifier: Apache-2.0
# Embeds the report page, whose parts are in src/report/page, as a string, and the script that draws figures.
set(page_folder ${PROJECT_SOURCE_DIR}/src/report/page)
set(page_styles "")
set(page_scripts "")

function(doc2s_append_text variable file)
  file(READ ${file} text)
  set(${variable} "${${variable}}${text}" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endfunction()

doc2s_append_text(page_styles ${page_folder}/page.css)
foreach(script figures scale curves choice save chart heatmap pictures tables results networks page)
  doc2s_append_text(page_scripts ${page_folder}/${script}.js)
endforeach()
doc2s_append_text(page_frame ${page_folder}/page.html)
doc2s_append_text(figures_script ${PROJECT_SOURCE_DIR}/lab/figures.py)
configure_file(${page_folder}/page_text.cpp.in ${PROJECT_BINARY_DIR}/generated/page_text.cpp @ONLY)
list(APPEND library_sources ${PROJECT_BINARY_DIR}/generated/page_text.cpp)
