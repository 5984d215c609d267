// SPDX-License-Identifier: Apache-2.0
#include "kept_json.hpp"

#include "base/text.hpp"
#include "doc2s/base/version.hpp"

namespace doc2s {

namespace {

template <class Values>
std::string row_of_values(const Values& values) {
  std::vector<std::string> words;
  for (const auto& value : values) words.push_back(json(value));
  return "[" + joined(words) + "]";
}

}  // namespace

JsonObject kept_json(const std::string& name, const std::string& title, Scale scale) {
  JsonObject object;
  object.add("study", name).add("title", title).add("scale", name_of(scale)).add("version", version());
  object.add_raw("seeds", row_of_values(std::vector<double>(shown_seeds().begin(), shown_seeds().end())));
  return object;
}

std::string json_row(const std::vector<double>& numbers) { return row_of_values(numbers); }
std::string json_row(const std::vector<std::string>& texts) { return row_of_values(texts); }

}  // namespace doc2s
