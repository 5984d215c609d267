// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "measurement.hpp"

namespace doc2s {

// State that travels against the paper's methods and what people would use instead: every line tuned by
// `tune` on samples, computation rounds, communication rounds and bytes. One measurement a task, split and
// order: "travel-first-mnist-sorted".
std::vector<Measurement> travel_measurements();

}  // namespace doc2s
