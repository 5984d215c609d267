// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace doc2s {

// The same config in ASCII: a character beyond it, which may stand in quotes and in comments, becomes
// \UXXXXXXXX. toml++ 3.3 has tables without a case for some characters (`x = 1é`, `x = 1"é"`), and in
// ASCII it never meets one. Refused are also keys of many thousand parts, which it takes apart by recursion
// until the stack runs over, and a table without a name (`[=]`). None of them is in a sound config.
std::string ascii_toml(const std::string& text, const std::string& name);

// Whether these bytes are UTF-8: the shortest form of each character, no surrogates, up to U+10FFFF.
bool is_utf8(std::string_view bytes);

}  // namespace doc2s
