#pragma once

namespace doc2s {

// The parts of the page; CMake makes them from the files in src/report/page.
extern const char* const page_frame;    // HTML with {{title}}, {{styles}}, {{data}}, {{scripts}} in it
extern const char* const page_styles;   // CSS
extern const char* const page_scripts;  // JavaScript

}  // namespace doc2s
