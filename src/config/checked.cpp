// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {

namespace {

const char* type_name(const Value& value) {
  static constexpr const char* names[] = {"a whole number", "a number", "true or false",
                                          "a text",         "a list",   "a list of texts"};
  return names[value.index()];
}

std::int64_t member_in(const std::string& word, const std::string& text, const std::string& where) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc::invalid_argument || end != word.data() + word.size())
    throw Error(fmt::format("{} in {} is not a whole number", printable(word), printable(text)), where,
                "write a list, such as [256, 128]");
  if (error != std::errc()) throw Error(word + " is out of range", where, "write smaller numbers");
  return number;
}

// "256, 128"; of "" the empty one
List list_in(const std::string& text, const std::string& where) {
  List list;
  if (trimmed(text).empty()) return list;
  for (const std::string& word : names_in(text)) list.push_back(member_in(word, text, where));
  return list;
}

// A column without a name is called by its number.
Texts texts_in(const List& numbers) {
  Texts texts;
  for (const std::int64_t number : numbers) texts.push_back(std::to_string(number));
  return texts;
}

constexpr double exact = 0x1p53;  // up to here every whole number is a double of its own

void check_names(const Option& option, const std::string& text, const std::string& where) {
  for (const std::string& name : option.several ? names_in(text) : std::vector{text})
    if (std::ranges::find(option.choices, name) == option.choices.end())
      refuse_name(name, option.choices, where);
}

// The value as the option's type, where the other type serves as well.
Value converted(const Value& value, const Option& option, const std::string& where) {
  using Type = Option::Type;
  const auto* whole = std::get_if<std::int64_t>(&value);
  if (whole && option.type == Type::real) return static_cast<double>(*whole);
  if ((whole || std::holds_alternative<double>(value)) && option.type == Type::text && option.choices.empty())
    return to_toml(value);
  if (whole && option.type == Type::list) return List{*whole};
  if (whole && option.type == Type::texts) return Texts{to_toml(value)};
  if (const auto* list = std::get_if<List>(&value); list && option.type == Type::texts)
    return texts_in(*list);
  if (const auto* texts = std::get_if<Texts>(&value); texts && option.folded) return option.folded(*texts);
  if (const auto* real = std::get_if<double>(&value);
      real && option.type == Type::integer && std::trunc(*real) == *real && std::abs(*real) <= exact)
    return static_cast<std::int64_t>(*real);
  if (const auto* text = std::get_if<std::string>(&value); text && option.type == Type::list)
    return list_in(*text, where);
  if (const auto* text = std::get_if<std::string>(&value); text && option.type == Type::texts)
    return names_in(*text);
  return value;
}

// A text where a number is wanted: what the user may have meant.
std::string hint_for(const std::string& text, const Option& option) {
  const auto comma = text.find(',');
  const std::string must = "it must be " + option.range();
  const bool digits = text.find_first_not_of("+-0123456789.,eE") == std::string::npos && !text.empty();
  if (!digits || option.type == Option::Type::text) return must;
  if (comma == std::string::npos) return must;
  return "write a decimal point, " + std::string(text).replace(comma, 1, ".") + "; " + must;
}

// A whole number beyond 64 bits, which --set leaves as a text, or beyond those that a real can tell apart.
bool is_long_number(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return std::abs(*real) > exact && std::isfinite(*real);
  const auto* text = std::get_if<std::string>(&value);
  return text && text->size() > 18 && text->find_first_not_of("+-0123456789") == std::string::npos;
}

std::string shown(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text ? *text : to_toml(value);
}

void check_range(const Option& option, double number, const Value& value, const std::string& where) {
  const bool low = option.least_itself ? number >= option.least : number > option.least;
  const bool high = option.most_itself ? number <= option.most : number < option.most;
  if (!std::isfinite(number) || !low || !high)
    throw Error(to_toml(value) + " is out of range", where, "it must be " + option.range());
}

}  // namespace

std::string Option::range() const {
  if (type == Type::flag) return "true or false";
  if (type == Type::texts) return "a list of texts";
  if (type == Type::text && several) return "some of " + joined(choices);
  if (type == Type::text) return choices.empty() ? "a text" : "one of " + joined(choices);
  const auto bound = [&](double number) {
    return type == Type::real ? fmt::format("{}", number) : fmt::format("{:.0f}", number);
  };
  std::string text = type == Type::list   ? "a list of whole numbers"
                     : type == Type::real ? "a number"
                                          : "a whole number";
  const bool lower = std::isfinite(least), upper = std::isfinite(most);
  if (lower && upper && least_itself && most_itself)
    return text + " from " + bound(least) + " to " + bound(most);
  if (lower) text += (least_itself ? " of at least " : " above ") + bound(least);
  if (lower && upper) text += " and";
  if (upper) text += (most_itself ? " at most " : " below ") + bound(most);
  return text;
}

Value Option::checked(const Value& value, const std::string& where) const {
  const Value result = converted(value, *this, where);
  if (type == Type::integer && is_long_number(value))
    throw Error(shown(value) + " is out of range", where, "it must be " + range());
  if (result.index() != static_cast<std::size_t>(type)) {
    const auto* text = std::get_if<std::string>(&value);
    throw Error(fmt::format("{} is {}", to_toml(value), type_name(value)), where,
                text ? hint_for(*text, *this) : "it must be " + range());
  }
  if (const auto* word = std::get_if<std::string>(&result))
    if (!choices.empty()) check_names(*this, *word, where);
  const auto check = [&](auto number, const Value& given) {
    check_range(*this, static_cast<double>(number), given, where);
  };
  if (const auto* whole = std::get_if<std::int64_t>(&result)) check(*whole, value);
  if (const auto* number = std::get_if<double>(&result)) check(*number, value);
  if (const auto* list = std::get_if<List>(&result))
    for (const std::int64_t member : *list) check(member, member);
  return result;
}

}  // namespace doc2s
