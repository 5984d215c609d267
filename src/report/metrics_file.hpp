#pragma once
#include <functional>
#include <string>

#include "doc2s/run/record.hpp"

namespace doc2s {

struct LineCount {
  Index records = 0;
  bool cut = false;   // the last line has no end or is no record
  Index damaged = 0;  // other lines that are no record
};

// Hands out the records of a metrics.jsonl one by one, so that a long file needs no memory.
LineCount for_each_record(const std::string& path, const std::function<void(Index, const Record&)>& use);

Index count_lines(const std::string& path);

}  // namespace doc2s
