// SPDX-License-Identifier: Apache-2.0
#include "doc2s/config/options.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/text.hpp"

namespace doc2s {

namespace {

template <class T>
Option with(Option option, T Option::*member, std::type_identity_t<T> value) {
  option.*member = std::move(value);
  return option;
}

template <class T>
Option make_option(std::string name, Option::Type type, std::optional<T> fallback, std::string help) {
  Option option{std::move(name), type, std::nullopt, std::move(help)};
  if (fallback) option.fallback = Value(std::move(*fallback));
  return option;
}

bool exists(const std::string& path) {
  std::error_code unreachable;
  return std::filesystem::exists(path, unreachable);
}

}  // namespace

Option Option::at_least(double bound) const { return with(*this, &Option::least, bound); }
Option Option::above(double bound) const { return with(at_least(bound), &Option::least_itself, false); }
Option Option::at_most(double bound) const { return with(*this, &Option::most, bound); }
Option Option::below(double bound) const { return with(at_most(bound), &Option::most_itself, false); }
Option Option::one_of(std::vector<std::string> names) const {
  return with(*this, &Option::choices, std::move(names));
}
Option Option::some_of(std::vector<std::string> names) const {
  return with(one_of(std::move(names)), &Option::several, true).folding([](const Texts& texts) {
    return joined(texts);
  });
}
Option Option::folding(std::string (*fold)(const Texts&)) const { return with(*this, &Option::folded, fold); }
Option Option::as_path(FindPath find) const { return with(*this, &Option::find_path, std::move(find)); }
Option Option::as_path() const {
  return as_path([](const std::string& path, const std::string& directory) {
    return existing_path(path, directory, exists);
  });
}
Option Option::only_where(std::string name, std::string value) const {
  return with(with(*this, &Option::needs, std::move(name)), &Option::needed, std::move(value));
}
Option Option::derived_by(Derived function) const {
  return with(*this, &Option::derived, std::move(function));
}
Option Option::changeable() const { return with(*this, &Option::may_change, true); }
Option Option::labelled(std::string choice, std::string label) const {
  return with(*this, &Option::labels, {{std::move(choice), std::move(label)}});
}

Option Option::tuned(double low, double high) const {
  return with(*this, &Option::tuned_range, TunedRange{low, high});
}
Option Option::tuned_to_one(double low, double high) const {
  return with(*this, &Option::tuned_range, TunedRange{low, high, /*to_one=*/true});
}
Option Option::tuned_where_changed() const {
  Option option = *this;
  option.tuned_range.value().where_changed = true;
  return option;
}
Option Option::tuned_in_zeroth(double low, double high) const {
  return with(*this, &Option::tuned_zeroth, TunedRange{low, high});
}

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
Option list_option(std::string name, List fallback, std::string help) {
  return make_option(std::move(name), Option::Type::list, std::optional(std::move(fallback)),
                     std::move(help));
}

Option texts_option(std::string name, std::string help) {
  return make_option(std::move(name), Option::Type::texts, std::optional<Texts>(), std::move(help));
}

std::string existing_path(const std::string& path, const std::string& directory, PathExists exists) {
  namespace fs = std::filesystem;
  for (const fs::path& candidate : {fs::path(path), fs::path(directory) / path})
    if (exists(candidate.string())) return fs::absolute(candidate).lexically_normal().string();
  return path;
}

}  // namespace doc2s
