// SPDX-License-Identifier: Apache-2.0
#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/types.hpp"

namespace doc2s {

namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  static constexpr std::string_view between = " \t\r\v\f,";
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('#'));
  for (std::size_t at = 0; (at = line.find_first_not_of(between, at)) < line.size();) {
    const std::size_t end = std::min(line.find_first_of(between, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// Whether the whole word is a number of this type.
template <class Number>
bool parsed(std::string_view word, Number& number) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  return code == std::errc() && end == word.data() + word.size();
}

}  // namespace

double TableLine::real(std::size_t word) const {
  double number = 0;
  if (!parsed(words[word], number)) throw Error(printable(words[word]) + " is not a number", where);
  if (!std::isfinite(number))
    throw Error(fmt::format("{} is not a finite number", printable(words[word])), where);
  return number;
}

std::int64_t TableLine::whole_number(std::size_t word) const {
  std::int64_t number = 0;
  if (!parsed(words[word], number)) throw Error(printable(words[word]) + " is not a whole number", where);
  return number;
}

namespace {

bool is_table_itself(const std::string& text) { return text.find('\n') != std::string::npos; }

}  // namespace

std::string table_name(const Settings& network, const std::string& key) {
  const std::string& given = network.text(key);
  return is_table_itself(given) ? "network." + key : given;
}

void each_line(const Settings& network, const std::string& key,
               const std::function<void(const TableLine&)>& take) {
  const std::string& given = network.text(key);
  const std::string text = is_table_itself(given) ? given : read_whole(given);
  const std::string name = table_name(network, key);
  std::string_view rest = text;
  rest.remove_prefix(byte_order_mark(rest, name));
  for (Index number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const TableLine line{fmt::format("{}:{}", name, number), words_of(rest.substr(0, end))};
    if (!line.words.empty()) take(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace doc2s
