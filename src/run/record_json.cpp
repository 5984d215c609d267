// SPDX-License-Identifier: Apache-2.0
#include "record_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace doc2s {

void add_to(JsonObject& object, const Quantity& quantity, double value) {
  if (std::isnan(value) && !quantity.always) return;
  object.add_raw(quantity.name, quantity.is_whole() ? fmt::format("{:.0f}", value) : json(value));
}

std::optional<Record> record_from(const std::string& text) {
  const auto object = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return std::nullopt;
  Record record;
  for (std::size_t k = 0; k < quantities().size(); ++k)
    if (const auto found = object.find(quantities()[k].name); found != object.end() && found->is_number())
      record.values()[k] = found->get<double>();
  return record;
}

}  // namespace doc2s
