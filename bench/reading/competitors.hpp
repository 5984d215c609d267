#pragma once
#include <string>

#include "data/samples.hpp"

namespace doc2s::bench {

// Only takes the bytes from the file into one buffer, over and over; their number.
std::size_t read_bytes_only(const std::string& path);

// A plain reader by strtod and strtol, without any check; of files without comments.
Samples read_by_strtod(const std::string& path);

}  // namespace doc2s::bench
