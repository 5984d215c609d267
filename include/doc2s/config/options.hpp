// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace doc2s {

using List = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;
using Value = std::variant<std::int64_t, double, bool, std::string, List, Texts>;

struct Config;

// Where `doc2s tune` looks for a value: evenly on a logarithmic scale.
struct TunedRange {
  double low, high;
  bool to_one = false;         // logarithmic in 1 − value
  bool where_changed = false;  // only where the value is not the fallback
};

// One setting that a user may give: it feeds the parser, `doc2s explain`, and the written config.
struct Option {
  enum class Type { integer, real, flag, text, list, texts };  // in the order of Value

  std::string name;  // within its section, e.g. "eta"
  Type type;
  std::optional<Value> fallback;  // absent: off, or worked out from the rest, as `help` says
  std::string help;
  double least = -std::numeric_limits<double>::infinity();  // of a list: for each member
  double most = std::numeric_limits<double>::infinity();
  bool least_itself = true;                  // false: the value must lie above `least`
  bool most_itself = true;                   // false: below `most`
  std::vector<std::string> choices{};        // for a text; empty: anything
  bool several = false;                      // of the choices, e.g. "ring, star"; a list of texts serves too
  std::string (*folded)(const Texts&) = {};  // makes one text of a list of texts; absent: a list is refused
  std::string needs{}, needed{};            // has a meaning only where the section's text `needs` is `needed`
  bool may_change = false;                  // when a run is resumed; the trajectory does not depend on it
  std::optional<TunedRange> tuned_range{};  // absent: only tuned where the user asks for it
  std::optional<TunedRange> tuned_zeroth{};     // in place of tuned_range where the method's order is zeroth
  std::map<std::string, std::string> labels{};  // of a method with this choice, where not by its name

  // Computes the default from the options that have no such function; nullopt: use `fallback`.
  using Derived = std::function<std::optional<Value>(const Config& so_far)>;
  Derived derived{};

  // For a path: the absolute path if it exists, from the working or the config's directory; else unchanged.
  using FindPath = std::function<std::string(const std::string& path, const std::string& directory)>;
  FindPath find_path{};

  Option at_least(double bound) const;
  Option above(double bound) const;
  Option at_most(double bound) const;
  Option below(double bound) const;
  Option one_of(std::vector<std::string> names) const;
  Option some_of(std::vector<std::string> names) const;
  Option folding(std::string (*fold)(const Texts&)) const;
  Option as_path(FindPath find) const;
  Option as_path() const;  // by existing_path
  Option only_where(std::string name, std::string value) const;
  Option derived_by(Derived function) const;
  Option changeable() const;
  Option labelled(std::string choice, std::string label) const;
  Option tuned(double low, double high) const;
  Option tuned_to_one(double low, double high) const;  // for momentum and the like
  Option tuned_where_changed() const;
  Option tuned_in_zeroth(double low, double high) const;
  bool is_path() const { return find_path != nullptr; }

  // The value if it fits this option; throws Error{…, where} if it does not. A whole number serves as a real,
  // and it or a text such as "256, 128" as a list.
  Value checked(const Value& value, const std::string& where) const;
  std::string range() const;  // in words, e.g. "a number above 0"
};

Option integer_option(std::string name, std::optional<std::int64_t> fallback, std::string help);
Option real_option(std::string name, std::optional<double> fallback, std::string help);
Option flag_option(std::string name, bool fallback, std::string help);
Option text_option(std::string name, std::optional<std::string> fallback, std::string help);
Option list_option(std::string name, List fallback, std::string help);
Option texts_option(std::string name, std::string help);  // optional

// Absolute where it leads somewhere, from here or from the directory; else as it is.
using PathExists = bool (*)(const std::string& path);
std::string existing_path(const std::string& path, const std::string& directory, PathExists exists);

std::string to_toml(const Value& value);  // as a config writes it; reals in the fewest digits that round-trip
std::string to_json(const Value& value);  // as records write it; a list is a text: "256,128"

// Something that a user picks by name (a graph, a problem, a method), with the options that are its own.
struct Kind {
  std::string name;
  std::string summary;
  std::vector<Option> options;
};

template <class AKind>
std::vector<std::string> names_of(const std::vector<AKind>& kinds) {
  std::vector<std::string> names;
  for (const auto& kind : kinds) names.push_back(kind.name);
  return names;
}

std::vector<std::string> names_in(const std::string& text);  // of "ring, star" both

// The values in force of one section, each with the place it came from.
class Settings {
 public:
  explicit Settings(std::string section = "") : section_(std::move(section)) {}

  void set(const std::string& name, Value value, std::string where = "");
  void forget(const std::string& name) { entries_.erase(name); }
  bool has(const std::string& name) const { return entries_.count(name) > 0; }
  bool given(const std::string& name) const;  // by the user, not a fallback
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;
  bool flag(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  const List& list(const std::string& name) const;
  const Texts& texts(const std::string& name) const;
  const Value& value(const std::string& name) const;

  // Where a reader should look to change it: "file:line:column: section.name", or "section.name".
  std::string where(const std::string& name) const;

 private:
  struct Entry {
    Value value;
    std::string where;
  };
  std::string section_;
  std::map<std::string, Entry> entries_;
};

[[noreturn]] void refuse_name(const std::string& word, const std::vector<std::string>& names,
                              const std::string& where);

// The kind that the section's text `key` names.
template <class AKind>
const AKind& kind_named(const std::vector<AKind>& kinds, const Settings& section, const std::string& key) {
  for (const AKind& kind : kinds)
    if (kind.name == section.text(key)) return kind;
  refuse_name(section.text(key), names_of(kinds), section.where(key));
}

}  // namespace doc2s
