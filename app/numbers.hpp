// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/with_commas.hpp"
#include "doc2s/run/record.hpp"

namespace doc2s::app {

std::string bytes_text(double number);                          // 3.28 GB
std::string loss_text(double number);                           // four decimals, or "not finite"
std::string formatted(const Quantity& quantity, double value);  // by the quantity's format; "-": not there

}  // namespace doc2s::app
