// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/json.hpp"
#include "study.hpp"

// The parts that the kept files of all studies and measurements share.
namespace doc2s {

// Begins with name, title, scale, version and seeds.
JsonObject kept_json(const std::string& name, const std::string& title, Scale scale);

// [1, 2, 3] and ["a", "b"] in one line.
std::string json_row(const std::vector<double>& numbers);
std::string json_row(const std::vector<std::string>& texts);

}  // namespace doc2s
