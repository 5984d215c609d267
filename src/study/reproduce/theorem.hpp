// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "measurement.hpp"

namespace doc2s {

// Theorem 1 run whole, and a certificate for the output of every client; ME-DOL beside it with as many
// samples.
Measurement theorem_measurement();

}  // namespace doc2s
