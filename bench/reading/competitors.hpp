// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "data/samples.hpp"
#include "data/table.hpp"

namespace doc2s::bench {

// Reads the file into one reused buffer; returns the number of bytes.
std::size_t read_bytes_only(const std::string& path);

// Plain readers with the C library and no checks: LIBSVM text without comments, and CSV with a header,
// without quotes, the class last.
Samples read_by_strtod(const std::string& path);
Table read_csv_by_strtod(const std::string& path);

}  // namespace doc2s::bench
