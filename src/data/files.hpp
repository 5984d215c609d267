#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace doc2s {

using TakePiece = std::function<void(std::string_view piece)>;

// The bytes of a file, plain or compressed (.gz .bz2 .xz .zst, told by content, not by name). Throws Error
// where it is missing, unreadable, damaged or cut short.
std::string read_whole(const std::string& path);

// The bytes as they lie on the disk: what is compressed stays so, and nothing grows.
std::string read_plain(const std::string& path);

// The unpacked bytes in pieces, for files that need not be held at once.
void read_pieces(const std::string& path, const TakePiece& take);

// The first bytes, at most `most` of them; the rest is not looked at.
std::string read_start(const std::string& path, std::size_t most);

// The files inside a tar archive, plain or compressed, in its order. `wanted` is asked for each by its path
// there; the pieces of those it wants go to `take`.
void read_members(const std::string& path, const std::function<TakePiece(const std::string& member)>& wanted);

}  // namespace doc2s
