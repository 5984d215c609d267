// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/run/record.hpp"

// The records that a run which goes on finds.
namespace doc2s {

// How much of the file's first `bytes` is there, in whole lines: a run goes on also where somebody emptied or
// cut its records.
Index whole_lines(const std::string& path, Index bytes);

std::vector<Record> records_in(const std::string& text);  // of a metrics.jsonl

}  // namespace doc2s
