// SPDX-License-Identifier: Apache-2.0
#include "checkpoint/checkpoints.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "doc2s/base/error.hpp"
#include "sealed.hpp"
#include "target.hpp"

// A run's folder of checkpoints, of three clients. An input that begins with 'h' is what a hostile program
// wrote; any other is damage to checkpoints of our own.
namespace {

using namespace doc2s;
namespace fs = std::filesystem;

constexpr ClientRange clients{0, 3};

struct RunState {
  std::int64_t tick = 0;
  std::array<std::array<double, 4>, 3> rows = {};

  explicit RunState(double iteration = 0) : tick(static_cast<std::int64_t>(iteration)) {
    for (int client = 0; client < clients.count; ++client) rows.at(client).fill(iteration + 0.25 * client);
  }
  bool operator==(const RunState&) const = default;

  void list(State& state) {
    state.value("tick", tick);
    state.by_client("rows", sizeof rows[0],
                    [&](int client) { return std::as_writable_bytes(std::span(rows.at(client))); });
  }
};

Checkpoints checkpoints_in(const std::string& folder) {
  static Processes alone;
  CheckpointHeader like;
  like.clients = clients.count;
  like.dimension = 4;
  like.number_bytes = 8;
  return {folder, alone, clients, like};
}

Checkpoints::Texts texts_of(Index iteration) { return {{"config", "K = " + std::to_string(iteration)}}; }

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct File {
  fs::path path;
  std::string bytes;
};

std::vector<File> files_in(const std::string& folder) {
  std::vector<File> files;
  for (const auto& entry : fs::directory_iterator(folder))
    files.push_back({entry.path(), content(entry.path())});
  std::ranges::sort(files, {}, &File::path);
  return files;
}

// Four bytes each: which file, where, and a byte to change by; 0 cuts the file off there.
void damage(std::vector<File>& files, std::string_view bytes) {
  for (; bytes.size() >= 4; bytes.remove_prefix(4)) {
    const auto at = [&](int i) { return static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]); };
    std::string& file = files[at(0) % files.size()].bytes;
    if (file.empty()) continue;
    const std::size_t where = (256U * at(1) + at(2)) % file.size();
    if (at(3) == 0)
      file.resize(where);
    else
      file[where] = static_cast<char>(file[where] ^ at(3));
  }
}

// The newest checkpoint whose files are as they were written; −1: none.
Index newest_whole(const std::vector<File>& files, const std::vector<File>& damaged) {
  Index newest = -1;
  for (const Index iteration : {1, 2}) {
    bool whole = true;
    for (std::size_t i = 0; i < files.size(); ++i)
      if (std::stoll(files[i].path.filename().string()) == iteration)
        whole &= files[i].bytes == damaged[i].bytes;
    if (whole) newest = iteration;
  }
  return newest;
}

// What is read again is what was written, and nothing whole is passed over.
void require_own(const std::string& folder, Index due) {
  const Checkpoints checkpoints = checkpoints_in(folder);
  const auto found = checkpoints.newest([](const auto&) {});
  if (found.iteration != due) std::abort();
  if (due < 0) return;
  RunState state;
  checkpoints.read(due, [&](State& list) { state.list(list); });
  if (state != RunState(static_cast<double>(due)) || found.texts != texts_of(due)) std::abort();
}

void try_damage(const std::string& folder, std::string_view bytes) {
  static const std::vector<File> files = [&] {
    Checkpoints checkpoints = checkpoints_in(folder);
    for (const Index iteration : {1, 2}) {
      RunState state(static_cast<double>(iteration));
      checkpoints.write(
          iteration, [&](State& list) { state.list(list); }, [&] { return texts_of(iteration); });
    }
    return files_in(folder + "/checkpoint");
  }();
  std::vector<File> damaged = files;
  damage(damaged, bytes);
  for (const File& file : damaged) std::ofstream(file.path, std::ios::binary) << file.bytes;
  require_own(folder, newest_whole(files, damaged));
}

// The files of ranks, with a mark between them, and a manifest that vouches for them.
void try_hostile(const std::string& folder, std::string_view bytes) {
  const std::string inside = folder + "/checkpoint/0000000000007.";
  fs::remove_all(folder + "/checkpoint");
  fs::create_directories(folder + "/checkpoint");
  struct Sum {
    Index size;
    std::uint64_t hash;
  };
  std::vector<Sum> sums;
  std::optional<CheckpointHeader> header;
  while (!bytes.empty() && sums.size() < 4) {
    const auto [rank, rest] = fuzz::halves(bytes, "|rank|");
    bytes = rest;
    const std::string path = inside + "rank-" + std::to_string(sums.size());
    std::ofstream(path, std::ios::binary) << fuzz::sealed(rank);
    const CheckpointReader file(path);
    if (!header) header = file.header();
    sums.push_back({file.size(), file.verify()});
  }
  if (!header) return;
  header->rank = -1;
  CheckpointWriter manifest(inside + "manifest", *header);
  manifest.block("files", std::as_bytes(std::span(sums)));
  manifest.finish();
  const Checkpoints checkpoints = checkpoints_in(folder);
  const auto found = checkpoints.newest([](const auto&) {});
  RunState state;
  if (found.iteration >= 0) checkpoints.read(found.iteration, [&](State& list) { state.list(list); });
}

}  // namespace

DOC2S_FUZZ_TARGET(bytes) {
  static const fuzz::Folder damaged("damaged"), hostile("hostile");
  if (bytes.starts_with('h'))
    try_hostile(hostile.path(), bytes.substr(1));
  else
    try_damage(damaged.path(), bytes);
}
