// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace doc2s {

using Index = std::int64_t;  // counts and positions: samples, coordinates
using Tick = std::int64_t;   // iterations, counted from 0 over the whole run

}  // namespace doc2s
