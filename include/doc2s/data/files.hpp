#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace doc2s {

// The bytes of a file, plain or compressed (.gz .bz2 .xz .zst, told by content, not by name). Throws Error
// where it is missing, unreadable, damaged or cut short.
std::string read_whole(const std::string& path);

// The same in pieces, for files that need not be held at once.
void read_pieces(const std::string& path, const std::function<void(std::string_view piece)>& take);

}  // namespace doc2s
