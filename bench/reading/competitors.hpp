#pragma once
#include <string>

#include "data/samples.hpp"

namespace doc2s::bench {

// Reads the file into one reused buffer; returns the number of bytes.
std::size_t read_bytes_only(const std::string& path);

// A plain reader with strtod and strtol and no checks, for files without comments.
Samples read_by_strtod(const std::string& path);

}  // namespace doc2s::bench
