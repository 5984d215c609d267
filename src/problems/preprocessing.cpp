// SPDX-License-Identifier: Apache-2.0
#include "preprocessing.hpp"

#include <algorithm>
#include <concepts>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/json.hpp"
#include "data/table_targets.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

// Visits every member with its key, to write it and to read it.
template <class APreprocessing, class Visit>
void each_member(APreprocessing& of, const Visit& visit) {
  visit("problem", of.problem);
  visit("data", of.data);
  visit("target", of.target);
  visit("classes", of.classes);
  visit("shape", of.shape);
  visit("label", of.label);
  visit("header", of.header);
  visit("columns", of.columns);
  visit("ignore", of.ignore);
  visit("missing", of.missing);
  visit("fill", of.fill);
  visit("mean", of.mean);
  visit("deviation", of.deviation);
  visit("pixel_count", of.pixels.count);
  visit("pixel_sums", of.pixels.sum);
  visit("pixel_squares", of.pixels.squares);
  visit("model_sha256", of.model_sum);
}

bool is_empty(std::uint64_t number) { return number == 0; }
template <class List>
bool is_empty(const List& list) {
  return list.empty();
}

// A whole number must be written as one: the conversion of a large real is undefined.
template <std::integral Number>
void take(const nlohmann::json& value, Number& number) {
  if (!value.is_number_integer()) throw std::invalid_argument("not a whole number");
  value.get_to(number);
}
template <std::integral Number>
void take(const nlohmann::json& list, std::vector<Number>& numbers) {
  for (const auto& one : list) take(one, numbers.emplace_back());
}
template <class Other>
void take(const nlohmann::json& value, Other& other) {
  value.get_to(other);
}

bool are_numbers(const std::vector<std::string>& texts) {
  return std::all_of(texts.begin(), texts.end(),
                     [](const auto& text) { return read_whole_real(text).fault == NumberFault::none; });
}

bool fits_together(const Preprocessing& how) {
  const std::size_t dimensions = how.data == "images" ? 3 : 1, scaled = how.mean.size();
  const std::size_t fewest = how.problem == "svm" ? 2 : how.target == "number" ? 0 : 1;  // classes
  return how.shape.size() == dimensions && how.classes.size() >= fewest &&
         (how.data != "table" || std::ssize(how.columns) == how.shape[0]) &&
         (how.data != "libsvm" || (how.problem == "svm" && are_numbers(how.classes))) &&
         (how.missing.empty() || how.missing == "drop" || how.missing == "mean") &&
         how.fill.size() == (how.missing == "mean" ? how.columns.size() : 0) &&
         (scaled == 0 || scaled == how.columns.size()) && scaled == how.deviation.size();
}

}  // namespace

std::string preprocessing_text(const Preprocessing& preprocessing) {
  JsonObject object;
  each_member(preprocessing, [&](const char* key, const auto& member) {
    if (!is_empty(member)) object.add_raw(key, nlohmann::json(member).dump());
  });
  return object.lines() + "\n";
}

Preprocessing parse_preprocessing(const std::string& text, const std::string& path) {
  Preprocessing read;
  try {
    const auto object = nlohmann::json::parse(text);
    each_member(read, [&](const char* key, auto& member) {
      if (object.contains(key)) take(object.at(key), member);
    });
    if (fits_together(read)) return read;
  } catch (const std::exception&) {  // of other types than expected
  }
  throw Error("is not the preprocessing of a run", path, "start the run again");
}

}  // namespace doc2s
