// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace doc2s::fuzz {

// The input as header, heads and blocks of a checkpoint's file. The hashes are added here, because no
// mutation would find them.
std::string sealed(std::string_view bytes);

}  // namespace doc2s::fuzz
