// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "config/schema.hpp"

namespace doc2s {

// The one table of all options: the parser, `doc2s explain` and the written config live on it.
const Schema& known_options();

}  // namespace doc2s
