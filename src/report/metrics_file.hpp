// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "doc2s/run/record.hpp"

namespace doc2s {

struct LineCount {
  Index records = 0;
  bool cut = false;   // the last line is incomplete
  Index damaged = 0;  // other lines that are not records
};

// Calls `use` for each record of a metrics.jsonl; needs no memory for the whole file.
LineCount for_each_record(const std::string& path, const std::function<void(Index, const Record&)>& use);

Index count_lines(const std::string& path);

}  // namespace doc2s
