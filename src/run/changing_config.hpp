// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/config/config.hpp"

namespace doc2s {

// Where the network changes: the config with notices of what that means for its method, such as plain gossip.
// Throws Error where the method asks for what needs a network that stays: Chebyshev's gossip, or a tour where
// graphs take turns.
Config with_checked_change(Config config);

}  // namespace doc2s
