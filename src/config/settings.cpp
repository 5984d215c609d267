// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/json.hpp"
#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {

namespace {

std::string real_text(double number) {
  std::string text = fmt::format("{}", number);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

}  // namespace

std::string to_toml(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<double>(&value)) return real_text(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* list = std::get_if<List>(&value)) return fmt::format("[{}]", fmt::join(*list, ", "));
  if (const auto* texts = std::get_if<Texts>(&value)) {
    Texts quoted;
    for (const std::string& text : *texts) quoted.push_back(json(text));
    return fmt::format("[{}]", joined(quoted));
  }
  return json(std::get<std::string>(value));  // TOML quotes a text as JSON does
}

std::string to_json(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return json(*number);
  if (const auto* list = std::get_if<List>(&value)) return fmt::format("\"{}\"", fmt::join(*list, ","));
  if (const auto* texts = std::get_if<Texts>(&value)) return json(joined(*texts, ","));
  return to_toml(value);
}

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t first = 0; first <= text.size();) {
    const auto comma = std::min(text.find(',', first), text.size());
    names.push_back(trimmed(text.substr(first, comma - first)));
    first = comma + 1;
  }
  return names;
}

void refuse_name(const std::string& word, const std::vector<std::string>& names, const std::string& where) {
  throw Error(fmt::format("\"{}\" is not known", word), where, suggestion(word, names));
}

void Settings::set(const std::string& name, Value value, std::string where) {
  entries_[name] = {std::move(value), std::move(where)};
}

bool Settings::given(const std::string& name) const {
  const auto found = entries_.find(name);
  return found != entries_.end() && !found->second.where.empty();
}

const Value& Settings::value(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw std::logic_error("no setting " + section_ + "." + name);
  return found->second.value;
}

std::int64_t Settings::integer(const std::string& name) const { return std::get<std::int64_t>(value(name)); }
double Settings::real(const std::string& name) const { return std::get<double>(value(name)); }
bool Settings::flag(const std::string& name) const { return std::get<bool>(value(name)); }
const List& Settings::list(const std::string& name) const { return std::get<List>(value(name)); }
const Texts& Settings::texts(const std::string& name) const { return std::get<Texts>(value(name)); }
const std::string& Settings::text(const std::string& name) const {
  return std::get<std::string>(value(name));
}

std::string Settings::where(const std::string& name) const {
  const std::string key = section_.empty() ? name : section_ + "." + name;
  return given(name) ? entries_.at(name).where + ": " + key : key;
}

}  // namespace doc2s
