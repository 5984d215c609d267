// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "base/json.hpp"
#include "doc2s/run/record.hpp"

namespace doc2s {

// Under the keys that other programs read: a value that is not there is left out, infinity is null.
void add_to(JsonObject& object, const Quantity& quantity, double value);

// What a line of metrics.jsonl, or summary.json, has of quantities(); nothing where it is no JSON object.
std::optional<Record> record_from(const std::string& text);

}  // namespace doc2s
