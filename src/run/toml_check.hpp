#pragma once
#include <string>
#include <string_view>

namespace doc2s {

// Refuses what toml++ 3.3 takes for granted: keys of many thousand parts, which it takes apart by recursion
// until the stack runs over; characters beyond ASCII outside of texts and comments, for which its tables have
// no case
// (`x = 1é`); a table without a name (`[=]`). None of them is in a sound config.
void check_toml(const std::string& text, const std::string& name);

// Whether these bytes are UTF-8: the shortest form of each character, no surrogates, up to U+10FFFF.
bool is_utf8(std::string_view bytes);

}  // namespace doc2s
