// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/file_writer.hpp"
#include "doc2s/base/rows.hpp"

// A file of named blocks (docs/checkpoints.md). All numbers are in the byte order of the machine, which the
// header tells; the header, each block's head and each block's bytes have an XXH3 of their own.
namespace doc2s {

struct CheckpointHeader {
  char magic[8] = {'d', 'o', 'c', '2', 's', 'c', 'p', '\n'};
  std::uint32_t byte_order = 0x01020304;
  std::uint32_t version = 2;         // 1 held the run state and the counts as raw structs
  std::int32_t rank = 0, ranks = 1;  // rank −1: the manifest
  std::int32_t clients = 0;          // n
  std::int32_t number_bytes = 0;     // 4 or 8: the precision
  std::int64_t dimension = 0;        // d
  std::int64_t iteration = 0;
  std::uint64_t config = 0;  // a hash of what decides the trajectory

  bool operator==(const CheckpointHeader&) const = default;
};

struct BlockHead {
  char name[40] = {};
  std::int32_t first = 0, count = 1;  // clients; a shared block has one part
  std::int64_t part_bytes = 0;        // for each of them
};

static_assert(std::has_unique_object_representations_v<CheckpointHeader> &&
              std::has_unique_object_representations_v<BlockHead>);

class CheckpointWriter {
 public:
  CheckpointWriter(const std::string& path, const CheckpointHeader& header);

  // Parts of equal size, for clients first, first + 1, …
  void block(const std::string& name, ClientRange clients, Index part_bytes,
             const std::function<std::span<const std::byte>(int client)>& part);
  void block(const std::string& name, std::span<const std::byte> bytes);

  void finish() { file_.sync(); }
  Index size() const { return file_.size(); }
  std::uint64_t hash() const { return hash_; }  // of all hashes in the file

 private:
  void seal(std::uint64_t hash);

  FileWriter file_;
  std::uint64_t hash_ = 0;
};

// Throws Error, with the reason, where the file is no checkpoint, is damaged, or does not fit what is asked.
class CheckpointReader {
 public:
  explicit CheckpointReader(const std::string& path);  // reads heads alone
  ~CheckpointReader();
  CheckpointReader(const CheckpointReader&) = delete;
  CheckpointReader& operator=(const CheckpointReader&) = delete;

  const CheckpointHeader& header() const { return header_; }
  Index size() const { return size_; }
  std::uint64_t verify() const;  // every byte against its hash; says the hash of all hashes

  const std::string& path() const { return path_; }
  const std::vector<std::string>& names() const { return order_; }
  bool has(const std::string& name) const { return blocks_.count(name) > 0; }
  Index bytes(const std::string& name) const;                            // of all parts
  void read(const std::string& name, std::span<std::byte> bytes) const;  // a block of one part
  // The parts of those of the clients that this file has; says how many.
  int read(const std::string& name, ClientRange clients, Index part_bytes,
           const std::function<std::span<std::byte>(int client)>& part) const;

 private:
  struct Block {
    BlockHead head;
    Index offset;  // of its bytes in the file

    Index end() const { return offset + head.count * head.part_bytes + Index{sizeof(std::uint64_t)}; }
  };
  void read_at(Index offset, std::span<std::byte> bytes) const;
  std::uint64_t hash_at(Index offset) const;
  void read_header();
  void read_heads();
  const Block& block(const std::string& name) const;
  [[noreturn]] void refuse(const std::string& reason) const;

  std::string path_;
  int file_ = -1;
  Index size_ = 0;
  CheckpointHeader header_;
  std::vector<std::string> order_;  // of the blocks in the file
  std::map<std::string, Block> blocks_;
};

}  // namespace doc2s
