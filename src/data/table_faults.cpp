// SPDX-License-Identifier: Apache-2.0
#include "table_faults.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {

namespace {

constexpr std::size_t most_lines = 20, most_groups = 1000;

void add_new(const std::string& text, std::vector<std::string>& texts) {
  if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

// A path may hold a line break.
std::string line(const TableFaults::Fault& fault) {
  std::string text = (fault.where.empty() ? "" : fault.where + ": ") + fault.what;
  std::ranges::replace(text, '\n', '?');
  return "\n  " + text;
}

}  // namespace

void TableFaults::add(const Fault& fault, const std::string& source) {
  ++count_;
  if (first_.size() < most_lines) first_.push_back(fault);
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}", source, static_cast<int>(fault.kind), fault.column, fault.hint);
  const auto [at, is_new] = places_.try_emplace(key, groups_.size());
  if (!is_new) {
    ++groups_[at->second].rows;
  } else if (groups_.size() < most_groups) {
    groups_.push_back({fault});
  } else {
    places_.erase(at);
  }
}

void TableFaults::add(const Error& error, Kind kind) {
  add({error.problem(), error.where(), error.hint(), kind}, error.problem());
}

void TableFaults::refuse_if_any() const {
  if (count_ == 0) return;
  const Fault& one = first_[0];
  if (count_ == 1) throw Error(one.what, one.where, hint());
  if (groups_.size() == 1 && one.kind == Kind::file)
    throw Error(fmt::format("{}, and {} more files alike", one.what, count_ - 1), one.where, hint());
  throw ListedFaults(fmt::format("the data has {} faults:{}\n{}", count_, lines(), hint()));
}

// Few faults one by one, many by column.
std::string TableFaults::lines() const {
  std::string text;
  Index said = 0;
  if (count_ <= static_cast<Index>(most_lines)) {
    for (const Fault& fault : first_) text += line(fault);
    return text;
  }
  for (std::size_t k = 0; k < std::min(most_lines, groups_.size()); ++k) {
    const auto& [first, rows] = groups_[k];
    text += line(first);
    if (rows > 1) text += fmt::format(", and {} more like it", rows - 1);
    said += rows;
  }
  return text + (said < count_ ? fmt::format("\n  and {} more", count_ - said) : "");
}

std::string TableFaults::hint() const {
  std::vector<std::string> hints, texts, gaps;
  bool missing = false;
  for (const auto& [first, rows] : groups_) {
    missing = missing || first.kind == Kind::missing;
    if (first.kind == Kind::missing || first.kind == Kind::text)
      add_new(first.column, first.kind == Kind::text ? texts : gaps);
    if (hints.size() < 3) add_new(first.hint, hints);
  }
  if (missing)
    hints.push_back("fill it in or leave the line out, or set problem.missing = \"drop\" (the row)" +
                    std::string(gaps.empty() ? "" : " or \"mean\" (the column's mean)"));
  constexpr std::size_t most = 8;
  std::vector<std::string>& left_out = texts.empty() ? gaps : texts;
  if (!left_out.empty() && left_out.size() <= most)
    hints.push_back(fmt::format("problem.ignore = {} leaves {} out", to_toml(left_out),
                                left_out.size() == 1 ? "the column" : "these columns"));
  return joined(hints, "; ");
}

}  // namespace doc2s
