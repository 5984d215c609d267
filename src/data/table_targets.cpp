// SPDX-License-Identifier: Apache-2.0
#include "table_targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "config/toml_ascii.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 9> words = {"",    "?",   "NA",   "N/A", "n/a",
                                                     "NaN", "nan", "null", "NULL"};
  return std::find(words.begin(), words.end(), text) != words.end();
}

ReadNumber read_whole_real(std::string_view text) {
  const char* const end = text.data() + text.size();
  ReadNumber number = read_real(text.data(), end);
  if (number.end != end) number.fault = NumberFault::malformed;
  return number;
}

std::string field_fault(std::string_view text, NumberFault fault, const std::string& place) {
  if (is_missing(text)) return place + " has no value" + (text.empty() ? "" : ", only " + printable(text));
  return fmt::format("{} in {} {}", printable(text), place, fault_text(fault));
}

NumberFault Targets::add(double number) {
  if (!std::isfinite(number)) return NumberFault::not_finite;
  if (kind_ == TableRequest::Target::class_name) {
    const auto place = static_cast<Index>(numbers_.size() + texts_.size());
    number = static_cast<double>(numbers_.try_emplace(number, place).first->second);
  }
  targets_.push_back(number);
  return NumberFault::none;
}

NumberFault Targets::add(std::string_view text) {
  if (is_missing(text)) return NumberFault::malformed;
  const ReadNumber number = read_whole_real(text);
  if (number.fault == NumberFault::none) return add(number.value);
  if (kind_ == TableRequest::Target::number || number.fault != NumberFault::malformed) return number.fault;
  auto known = texts_.find(text);
  if (known == texts_.end()) known = texts_.emplace(text, numbers_.size() + texts_.size()).first;
  targets_.push_back(static_cast<double>(known->second));
  return NumberFault::none;
}

namespace {

// Beyond 2⁵³, different whole numbers are one double.
void refuse_large_class(double number, const std::string& source) {
  if (std::abs(number) >= 0x1p53)
    throw Error(fmt::format("the class {} is a number too large to tell from the next", number), source,
                "number the classes from 0, or name them by texts");
}

void refuse_other_encoding(const std::string& name, const std::string& source) {
  if (!is_utf8(name))
    throw Error(fmt::format("the class {} is not UTF-8 text", printable(name)), source,
                "save the file as UTF-8");
}

}  // namespace

void Targets::finish(Table& table) {
  table.targets = std::move(targets_);
  if (kind_ == TableRequest::Target::number) return;
  std::vector<double> places(numbers_.size() + texts_.size());
  const auto add_class = [&](std::string name, Index met) {
    places[static_cast<std::size_t>(met)] = static_cast<double>(table.classes.size());
    table.classes.push_back(std::move(name));
  };
  for (const auto& [number, met] : numbers_) {
    refuse_large_class(number, table.source);
    add_class(fmt::format("{}", number == 0 ? 0 : number), met);  // −0 is 0
  }
  for (const auto& [name, met] : texts_) {
    refuse_other_encoding(name, table.source);
    add_class(name, met);
  }
  for (double& target : table.targets) target = places[static_cast<std::size_t>(target)];
}

}  // namespace doc2s
