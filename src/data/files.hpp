// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace doc2s {

using TakePiece = std::function<void(std::string_view piece)>;

// The bytes of a file, decompressed if needed (.gz .bz2 .xz .zst, detected by content). Throws Error if it is
// missing, unreadable, damaged or truncated.
std::string read_whole(const std::string& path);

// The bytes as stored, without decompression.
std::string read_plain(const std::string& path);

// The decompressed bytes in pieces.
void read_pieces(const std::string& path, const TakePiece& take);

// At most the first `most` decompressed bytes.
std::string read_start(const std::string& path, std::size_t most);

// Iterates over the files in a tar archive, plain or compressed. `wanted` is called with each member's path;
// a non-empty result receives the member's pieces.
void read_members(const std::string& path, const std::function<TakePiece(const std::string& member)>& wanted);

// The same for the bytes of a .zip file, whose members are stored or deflated; `path` is for messages.
void read_zip_members(const std::string& bytes, const std::string& path,
                      const std::function<TakePiece(const std::string& member)>& wanted);

}  // namespace doc2s
