// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>

#include "doc2s/config/options.hpp"

namespace doc2s::app {

// Name, type, fallback, range, choices and help.
nlohmann::ordered_json option_json(const Option& option);

}  // namespace doc2s::app
