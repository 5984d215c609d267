// SPDX-License-Identifier: Apache-2.0
#include "toml_entries.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "toml_ascii.hpp"

namespace doc2s {

namespace {

std::string place(const std::string& name, const toml::source_position& at) {
  return fmt::format("{}:{}:{}", name, at.line, at.column);
}

constexpr int most_parts = 8;  // of a key; ours have three

toml::table parsed(const std::string& text, const std::string& name) {
  return toml::parse(ascii_toml(text, name), name);
}

std::string type_of(const toml::node& node) {
  std::ostringstream type;
  type << node.type();
  return type.str();
}

List list_of(const toml::array& array, const std::string& key, const std::string& where) {
  List list;
  for (const auto& node : array) {
    const auto whole = node.value<std::int64_t>();  // also of 1e3
    if (!whole || node.is_boolean())
      throw Error(fmt::format("the list \"{}\" holds a value of type {}", key, type_of(node)), where,
                  "a list holds whole numbers, such as [256, 128]");
    list.push_back(*whole);
  }
  return list;
}

Texts texts_of(const toml::array& array) {
  Texts texts;
  for (const auto& text : array) texts.push_back(text.as_string()->get());
  return texts;
}

Value value_of(const toml::node& node, const std::string& key, const std::string& where) {
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* array = node.as_array())
    return array->is_homogeneous<std::string>() ? Value(texts_of(*array)) : list_of(*array, key, where);
  throw Error(fmt::format("\"{}\" has a value of type {}", key, type_of(node)), where,
              "a number, a text in quotes, true, false or a list of whole numbers is expected");
}

// Several [[method]] tables: each one's values are marked with its number.
void flatten_methods(const toml::array& tables, const std::string& name, std::vector<Entry>& entries);

// `where` is given for a whole text from the command line, else it is the node's own place in the file.
void flatten(const toml::table& table, const std::string& prefix, const std::string& name,
             const std::string& where, std::vector<Entry>& entries) {
  if (std::count(prefix.begin(), prefix.end(), '.') >= most_parts)
    throw Error(fmt::format("the key {}… has too many parts", prefix), where.empty() ? name : where,
                "`doc2s explain` lists the keys");
  for (const auto& [key, node] : table) {
    const std::string full = prefix.empty() ? std::string(key.str()) : prefix + "." + std::string(key.str());
    const std::string at = where.empty() ? place(name, key.source().begin) : where;
    if (const auto* inner = node.as_table()) {
      if (inner->empty()) entries.push_back({full + ".", false, at});
      flatten(*inner, full, name, where, entries);
      continue;
    }
    if (full == "method" && node.is_array_of_tables())
      flatten_methods(*node.as_array(), name, entries);
    else
      entries.push_back({full, value_of(node, full, at), at});
  }
}

void flatten_methods(const toml::array& tables, const std::string& name, std::vector<Entry>& entries) {
  int number = 0;
  for (const auto& node : tables) {
    const std::size_t first = entries.size();
    entries.push_back({"method.", false, place(name, node.source().begin)});
    flatten(*node.as_table(), "method", name, "", entries);
    for (std::size_t k = first; k < entries.size(); ++k) entries[k].method = number;
    ++number;
  }
}

}  // namespace

namespace {

// The parser's words for the mistakes that people make, in ours.
[[noreturn]] void refuse_toml(const toml::parse_error& error, const std::string& name) {
  const std::string words(error.description()), where = place(name, error.source().begin);
  const auto says = [&](const char* part) { return words.find(part) != std::string::npos; };
  if (says("saw ','"))
    throw Error("a value is followed by a comma", where,
                "write a decimal point, 0.01, and one value for a key");
  if (says("not representable in 64 bits"))
    throw Error("a whole number is too large", where, "the largest is 9223372036854775807");
  throw Error(words, where);
}

}  // namespace

std::vector<Entry> toml_entries(const std::string& text, const std::string& name) {
  std::vector<Entry> entries;
  try {
    flatten(parsed(text, name), "", name, "", entries);
  } catch (const toml::parse_error& error) {
    refuse_toml(error, name);
  }
  return entries;
}

std::vector<Entry> change_entries(const Change& change) {
  const auto& [key, value, where] = change;
  const Entry as_text{key, value, where};
  if (!is_utf8(value))
    throw Error("the value is not UTF-8, so no config could hold it", "--set " + printable(key),
                "write it in UTF-8");
  toml::table table;
  try {
    table = parsed("value = " + value, where);
  } catch (const toml::parse_error&) {
    return {as_text};
  } catch (const Error&) {  // of ascii_toml
    return {as_text};
  }
  const toml::node& node = *table.get("value");
  if (table.size() > 1) return {as_text};
  std::vector<Entry> entries;
  if (const auto* inner = node.as_table())
    flatten(*inner, key, "", where, entries);
  else
    entries.push_back({key, value_of(node, key, where), where});
  return entries;
}

}  // namespace doc2s
