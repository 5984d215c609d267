#include "doc2s/config/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/json.hpp"
#include "base/text.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

const char* type_name(const Value& value) {
  static constexpr const char* names[] = {"a whole number", "a number", "true or false", "a text"};
  return names[value.index()];
}

}  // namespace

Option Option::at_least(double bound) const {
  Option option = *this;
  option.least = bound;
  return option;
}
Option Option::above(double bound) const {
  Option option = at_least(bound);
  option.least_itself = false;
  return option;
}
Option Option::at_most(double bound) const {
  Option option = *this;
  option.most = bound;
  return option;
}
Option Option::one_of(std::vector<std::string> names) const {
  Option option = *this;
  option.choices = std::move(names);
  return option;
}
Option Option::as_path() const {
  Option option = *this;
  option.is_path = true;
  return option;
}
Option Option::only_where(std::string name, std::string value) const {
  Option option = *this;
  option.needs = std::move(name);
  option.needed = std::move(value);
  return option;
}

std::string Option::range() const {
  if (type == Type::flag) return "true or false";
  if (type == Type::text) return choices.empty() ? "a text" : "one of " + joined(choices);
  const bool whole = type == Type::integer;
  const auto bound = [&](double number) {
    return whole ? fmt::format("{:.0f}", number) : fmt::format("{}", number);
  };
  std::string text = whole ? "a whole number" : "a number";
  const bool lower = std::isfinite(least), upper = std::isfinite(most);
  if (lower && upper && least_itself) return text + " from " + bound(least) + " to " + bound(most);
  if (lower) text += (least_itself ? " of at least " : " above ") + bound(least);
  if (lower && upper) text += " and";
  if (upper) text += " at most " + bound(most);
  return text;
}

Value Option::checked(const Value& value, const std::string& where) const {
  Value result = value;
  if (type == Type::real && std::holds_alternative<std::int64_t>(value))
    result = static_cast<double>(std::get<std::int64_t>(value));
  if (type == Type::text && choices.empty() && std::holds_alternative<std::int64_t>(value))
    result = to_toml(value);  // --set problem.hidden=32 reads as a number
  if (result.index() != static_cast<std::size_t>(type))
    throw Error(fmt::format("{} is {}", to_toml(value), type_name(value)), where, "it must be " + range());
  if (type == Type::text) {
    const auto& word = std::get<std::string>(result);
    if (!choices.empty() && std::find(choices.begin(), choices.end(), word) == choices.end())
      refuse_name(word, choices, where);
  } else if (type != Type::flag) {
    const double number =
        type == Type::real ? std::get<double>(result) : static_cast<double>(std::get<std::int64_t>(result));
    const bool low = least_itself ? number >= least : number > least;
    if (!std::isfinite(number) || !low || number > most)
      throw Error(fmt::format("{} is out of range", to_toml(value)), where, "it must be " + range());
  }
  return result;
}

namespace {

template <class T>
Option make_option(std::string name, Option::Type type, std::optional<T> fallback, std::string help) {
  Option option{std::move(name), type, std::nullopt, std::move(help)};
  if (fallback) option.fallback = Value(std::move(*fallback));
  return option;
}

}  // namespace

Option integer_option(std::string name, std::optional<std::int64_t> fallback, std::string help) {
  return make_option(std::move(name), Option::Type::integer, fallback, std::move(help));
}
Option real_option(std::string name, std::optional<double> fallback, std::string help) {
  return make_option(std::move(name), Option::Type::real, fallback, std::move(help));
}
Option flag_option(std::string name, bool fallback, std::string help) {
  return make_option(std::move(name), Option::Type::flag, std::optional(fallback), std::move(help));
}
Option text_option(std::string name, std::optional<std::string> fallback, std::string help) {
  return make_option(std::move(name), Option::Type::text, std::move(fallback), std::move(help));
}

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
  return json(std::get<std::string>(value));  // TOML quotes a text as JSON does
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
const std::string& Settings::text(const std::string& name) const {
  return std::get<std::string>(value(name));
}

std::string Settings::where(const std::string& name) const {
  const std::string key = section_.empty() ? name : section_ + "." + name;
  return given(name) ? entries_.at(name).where + ": " + key : key;
}

}  // namespace doc2s
