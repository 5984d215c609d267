#pragma once
#include <string>

namespace doc2s {

// Refuses what toml++ 3.3 does not survive: keys of many thousand parts, which it takes apart by recursion
// until the stack runs over, and characters beyond ASCII outside of texts and comments, for which its tables
// have no case (`x = 1é`). No TOML of version 1.0 has the latter.
void check_toml(const std::string& text, const std::string& name);

}  // namespace doc2s
