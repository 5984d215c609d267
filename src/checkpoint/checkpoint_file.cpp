// SPDX-License-Identifier: Apache-2.0
#include "checkpoint_file.hpp"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

#include "base/uninterrupted.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

constexpr Index header_bytes = sizeof(CheckpointHeader), head_bytes = sizeof(BlockHead), hash_bytes = 8;

template <class Value>
std::span<std::byte> bytes_of(Value& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}
template <class Value>
std::span<const std::byte> bytes_of(const Value& value) {
  return std::as_bytes(std::span(&value, 1));
}

std::uint64_t hash_of(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

// The hash of bytes that come in pieces.
class RunningHash {
 public:
  RunningHash() : state_(XXH3_createState(), XXH3_freeState) { XXH3_64bits_reset(state_.get()); }
  void take(std::span<const std::byte> bytes) {
    XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
  }
  std::uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

}  // namespace

CheckpointWriter::CheckpointWriter(const std::string& path, const CheckpointHeader& header) : file_(path) {
  file_.write(bytes_of(header));
  seal(hash_of(bytes_of(header)));
}

void CheckpointWriter::seal(std::uint64_t hash) {
  file_.write(bytes_of(hash));
  hash_ = hash_of(bytes_of(hash), hash_);
}

void CheckpointWriter::block(const std::string& name, ClientRange clients, Index part_bytes,
                             const std::function<std::span<const std::byte>(int client)>& part) {
  BlockHead head;
  if (name.size() >= sizeof head.name) throw std::logic_error("the name of a block is too long: " + name);
  std::ranges::copy(name, head.name);
  head.first = clients.first;
  head.count = clients.count;
  head.part_bytes = part_bytes;
  file_.write(bytes_of(head));
  seal(hash_of(bytes_of(head)));
  RunningHash hash;
  for (int client = clients.first; client < clients.end(); ++client) {
    file_.write(part(client));
    hash.take(part(client));
  }
  seal(hash.value());
}

void CheckpointWriter::block(const std::string& name, std::span<const std::byte> bytes) {
  block(name, {0, 1}, std::ssize(bytes), [&](int) { return bytes; });
}

CheckpointReader::CheckpointReader(const std::string& path) : path_(path) {
  file_ = uninterrupted([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (file_ < 0) throw_system_error("cannot be read", path_, errno);
  try {
    struct stat there {};
    if (fstat(file_, &there) != 0) throw_system_error("cannot be read", path_, errno);
    size_ = there.st_size;
    read_header();
    read_heads();
  } catch (...) {
    close(file_);
    throw;
  }
}

CheckpointReader::~CheckpointReader() { close(file_); }

void CheckpointReader::refuse(const std::string& reason) const { throw Error(reason, path_); }

void CheckpointReader::read_at(Index offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = uninterrupted([&] { return pread(file_, bytes.data(), bytes.size(), offset); });
    if (got < 0) throw_system_error("cannot be read", path_, errno);
    if (got == 0) refuse("is cut off");
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
}

std::uint64_t CheckpointReader::hash_at(Index offset) const {
  std::uint64_t hash = 0;
  read_at(offset, bytes_of(hash));
  return hash;
}

void CheckpointReader::read_header() {
  const CheckpointHeader ours;
  read_at(0, bytes_of(header_));
  if (!std::ranges::equal(header_.magic, ours.magic)) refuse("is no checkpoint");
  if (header_.byte_order != ours.byte_order) refuse("was written on a machine with another order of bytes");
  if (hash_at(header_bytes) != hash_of(bytes_of(header_)))
    refuse("is damaged: its header is not as it was written");
  if (header_.version != ours.version)
    refuse("is a checkpoint of format " + std::to_string(header_.version) + ", and this doc2s reads format " +
           std::to_string(ours.version));
}

void CheckpointReader::read_heads() {
  for (Index at = header_bytes + hash_bytes; at < size_;) {
    Block block;
    read_at(at, bytes_of(block.head));
    if (hash_at(at + head_bytes) != hash_of(bytes_of(block.head)))
      refuse("is damaged: the head of a block is not as it was written");
    block.offset = at + head_bytes + hash_bytes;
    const auto& [name, first, count, part_bytes] = block.head;
    const Index left = size_ - block.offset - hash_bytes;
    if (name[sizeof name - 1] != 0 || first < 0 || count < 0 ||
        count > std::numeric_limits<int>::max() - first || part_bytes < 0 || left < 0 ||
        (count > 0 && part_bytes > left / count))
      refuse("is damaged: a block is longer than the file");
    at = block.end();
    order_.emplace_back(name);
    if (!blocks_.emplace(order_.back(), block).second) refuse("is damaged: a block is there twice");
  }
}

std::uint64_t CheckpointReader::verify() const {
  const auto chained = [](std::uint64_t chain, std::uint64_t hash) { return hash_of(bytes_of(hash), chain); };
  std::uint64_t chain = chained(0, hash_at(header_bytes));
  std::vector<std::byte> room(static_cast<std::size_t>(std::min(size_, Index{1} << 20)));
  for (const std::string& name : order_) {
    const Block& block = blocks_.at(name);
    RunningHash hash;
    for (Index at = block.offset, end = block.end() - hash_bytes; at < end;) {
      const auto piece = std::span(room).first(std::min(room.size(), static_cast<std::size_t>(end - at)));
      read_at(at, piece);
      hash.take(piece);
      at += std::ssize(piece);
    }
    const std::uint64_t stored = hash_at(block.end() - hash_bytes);
    if (stored != hash.value()) refuse("is damaged: the block \"" + name + "\" is not as it was written");
    chain = chained(chained(chain, hash_at(block.offset - hash_bytes)), stored);
  }
  return chain;
}

const CheckpointReader::Block& CheckpointReader::block(const std::string& name) const {
  const auto found = blocks_.find(name);
  if (found == blocks_.end()) refuse("has no block \"" + name + "\"");
  return found->second;
}

Index CheckpointReader::bytes(const std::string& name) const {
  return block(name).head.count * block(name).head.part_bytes;
}

void CheckpointReader::read(const std::string& name, std::span<std::byte> bytes) const {
  read(name, {0, 1}, std::ssize(bytes), [&](int) { return bytes; });
}

int CheckpointReader::read(const std::string& name, ClientRange clients, Index part_bytes,
                           const std::function<std::span<std::byte>(int client)>& part) const {
  const Block& found = block(name);
  if (found.head.part_bytes != part_bytes)
    refuse("the block \"" + name + "\" has parts of " + std::to_string(found.head.part_bytes) +
           " bytes instead of " + std::to_string(part_bytes));
  const int first = std::max(clients.first, found.head.first);
  const int end = std::min(clients.end(), found.head.first + found.head.count);
  for (int client = first; client < end; ++client)
    read_at(found.offset + (client - found.head.first) * part_bytes, part(client));
  return std::max(0, end - first);
}

}  // namespace doc2s
