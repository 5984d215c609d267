// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "table.hpp"

namespace doc2s {

// Values separated by `separator`, quoted as RFC 4180 says, in LF or CRLF lines. Skips blank lines and a
// UTF-8 byte order mark, and trims blanks outside quotes. Where commas are expected, the first line may show
// that semicolons separate; numbers may then have decimal commas. Refuses non-finite values, features that
// are not numbers, and lines of other lengths than the first.
Table read_csv(const std::string& path, char separator, const TableRequest& request);

// A two-dimensional .npy array with the target in one of its columns. `header` does not matter.
Table read_npy_table(const std::string& path, const TableRequest& request);

// The arrays `x` (rows × features) and `y` (rows) of an .npz file, in upper or lower case. `label` and
// `header` do not matter.
Table read_npz(const std::string& path, const TableRequest& request);

// LIBSVM text, filled with zeros; at least `features_alone` features. `label` and `header` do not matter.
Table read_libsvm_table(const std::string& path, const TableRequest& request);

// A table whose features have no names and are numbered from 1; values and targets are still to come.
Table numbered_table(const std::string& path, Index rows, Index features);

}  // namespace doc2s
