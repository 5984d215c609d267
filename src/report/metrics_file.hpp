#pragma once
#include <functional>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// A number for each of columns(), NaN where the record has none.
using Record = std::vector<double>;

struct LineCount {
  Index records = 0;
  bool cut = false;   // the last line has no end or is no record
  Index damaged = 0;  // other lines that are no record
};

// Hands out the records of a metrics.jsonl one by one, so that a long file needs no memory.
LineCount for_each_record(const std::string& path, const std::function<void(Index, const Record&)>& use);

Index count_lines(const std::string& path);

}  // namespace doc2s
