// SPDX-License-Identifier: Apache-2.0
#include "checkpoints.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <set>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace fs = std::filesystem;

namespace {

struct Sum {  // of a process's file, as the manifest has it
  Index size = 0;
  std::uint64_t hash = 0;

  bool operator==(const Sum&) const = default;
};

std::string bytes_of(const Sum& sum) { return {reinterpret_cast<const char*>(&sum), sizeof sum}; }

class Saver : public State {
 public:
  Saver(CheckpointWriter& file, ClientRange here) : file_(file), here_(here) {}

  void shared(const std::string& name, std::span<std::byte> bytes, int from) override {
    if (here_.contains(from)) file_.block(name, bytes);
  }
  void by_client(const std::string& name, Index bytes,
                 const std::function<std::span<std::byte>(int client)>& part) override {
    file_.block(name, here_, bytes, part);
  }

 private:
  CheckpointWriter& file_;
  ClientRange here_;
};

// Reads from the files of all processes that wrote, however many those were.
class Loader : public State {
 public:
  Loader(std::vector<std::unique_ptr<CheckpointReader>> files, ClientRange here)
      : files_(std::move(files)), here_(here) {}

  void shared(const std::string& name, std::span<std::byte> bytes, int) override {
    for (const auto& file : files_)
      if (file->has(name)) return file->read(name, bytes);
    refuse(name);
  }
  void by_client(const std::string& name, Index bytes,
                 const std::function<std::span<std::byte>(int client)>& part) override {
    std::vector<char> read(static_cast<std::size_t>(here_.count), 0);  // each client once, in whichever file
    for (const auto& file : files_)
      file->read(name, here_, bytes, [&](int client) {
        read[client - here_.first] = 1;
        return part(client);
      });
    if (std::ranges::find(read, 0) != read.end()) refuse(name);
  }

 private:
  [[noreturn]] void refuse(const std::string& name) const {
    throw Error("the checkpoint has no whole part \"" + name + "\"", files_.front()->path());
  }

  std::vector<std::unique_ptr<CheckpointReader>> files_;
  ClientRange here_;
};

// The iteration that a file's name begins with; −1 where it is none of ours.
Index iteration_of(const std::string& name) {
  Index iteration = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), iteration);
  return error == std::errc() && *end == '.' ? iteration : -1;
}

}  // namespace

Checkpoints::Checkpoints(std::string run_directory, Processes& processes, ClientRange here,
                         CheckpointHeader like)
    : folder_(std::move(run_directory) + "/checkpoint"), processes_(processes), here_(here), like_(like) {}

std::string Checkpoints::file(Index iteration, const std::string& what) const {
  return fmt::format("{}/{:013}.{}", folder_, iteration, what);
}

std::string Checkpoints::rank_file(Index iteration, int rank) const {
  return file(iteration, fmt::format("rank-{}", rank));
}

CheckpointHeader Checkpoints::header(Index iteration, int rank) const {
  CheckpointHeader header = like_;
  header.iteration = iteration;
  header.rank = rank;
  header.ranks = processes_.count();
  return header;
}

std::vector<Index> Checkpoints::iterations() const {
  std::vector<Index> all;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder_, none))
    if (entry.path().extension() == ".manifest")
      all.push_back(iteration_of(entry.path().filename().string()));
  std::erase(all, -1);
  std::ranges::sort(all, std::greater());
  return all;
}

Checkpoints::Texts Checkpoints::verified_texts(Index iteration) const {
  const CheckpointReader manifest_file(manifest(iteration));
  manifest_file.verify();
  CheckpointHeader head = manifest_file.header();
  std::vector<Sum> sums(static_cast<std::size_t>(manifest_file.bytes("files")) / sizeof(Sum));
  if (head.rank != -1 || head.ranks < 1 || head.ranks != std::ssize(sums))
    throw Error("is no manifest", manifest(iteration));
  manifest_file.read("files", std::as_writable_bytes(std::span(sums)));
  for (head.rank = 0; head.rank < head.ranks; ++head.rank) {
    const std::string path = rank_file(iteration, head.rank);
    const CheckpointReader file(path);
    if (file.header() != head) throw Error("belongs to another checkpoint", path);
    if (Sum{file.size(), file.verify()} != sums[head.rank])
      throw Error("is not the file that the manifest was written for", path);
  }
  Texts texts;
  for (const std::string& name : manifest_file.names()) {
    std::string text(static_cast<std::size_t>(manifest_file.bytes(name)), '\0');
    manifest_file.read(name, std::as_writable_bytes(std::span(text)));
    if (name != "files") texts[name] = text;
  }
  return texts;
}

Checkpoints::Found Checkpoints::newest_here(const std::function<void(const Texts&)>& check) const {
  Found found;
  std::error_code none;
  found.at_start = fs::exists(start_manifest(), none);
  for (const Index iteration : iterations()) try {
      found.texts = verified_texts(iteration);
      check(found.texts);
      found.iteration = iteration;
      return found;
    } catch (const Error& error) {
      found.refused.emplace_back(error.what());
      found.texts.clear();
    }
  return found;
}

Checkpoints::Found Checkpoints::newest(const std::function<void(const Texts&)>& check) const {
  Found found;
  if (processes_.is_first()) found = newest_here(check);
  found.iteration = gathered<Index>(processes_, {found.iteration}).front();
  return found;
}

void Checkpoints::read(Index iteration, const List& list) const {
  std::vector<std::unique_ptr<CheckpointReader>> files;
  for (int rank = 0, ranks = 1; rank < ranks; ++rank) {
    files.push_back(std::make_unique<CheckpointReader>(rank_file(iteration, rank)));
    ranks = files.back()->header().ranks;
  }
  Loader loader(std::move(files), here_);
  list(loader);
}

void Checkpoints::make_folder() const {
  if (mkdir(folder_.c_str(), 0777) != 0 && errno != EEXIST)
    throw_system_error("cannot be made a directory", folder_, errno);
}

std::string Checkpoints::write_mine(Index iteration, const List& list) const {
  make_folder();
  const std::string path = rank_file(iteration, processes_.rank());
  CheckpointWriter writer(path + ".part", header(iteration, processes_.rank()));
  Saver saver(writer, here_);
  list(saver);
  writer.finish();
  rename_file(path + ".part", path);
  sync_folder(folder_);
  return bytes_of({writer.size(), writer.hash()});
}

void Checkpoints::write_start(const Texts& texts) const {
  make_folder();
  write_manifest(start_manifest(), 0, texts, {});
}

void Checkpoints::remove_start() const {
  std::error_code ignored;
  for (const std::string& path : {start_manifest(), start_manifest() + ".part", folder_})
    fs::remove(path, ignored);
}

void Checkpoints::write_manifest(const std::string& path, Index iteration, const Texts& texts,
                                 const std::vector<std::string>& sums) const {
  CheckpointWriter writer(path + ".part", header(iteration, -1));
  for (const auto& [name, text] : texts) writer.block(name, std::as_bytes(std::span(text)));
  std::string all;
  for (const std::string& sum : sums) all += sum;
  writer.block("files", std::as_bytes(std::span(all)));  // last: a manifest that is cut off has none
  writer.finish();
  rename_file(path + ".part", path);
  sync_folder(folder_);
}

void Checkpoints::remove_mine(Index iteration) const {
  std::error_code ignored;
  for (const std::string& path : {manifest(iteration), rank_file(iteration, processes_.rank())})
    for (const char* ending : {"", ".part"}) fs::remove(path + ending, ignored);
}

// Also what a process that was killed left half done.
void Checkpoints::remove_all_but(Index iteration, Index before) const {
  std::error_code ignored;
  remove_start();
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    const Index of = iteration_of(entry.path().filename().string());
    if (of >= 0 && of != iteration && of != before) old.push_back(entry.path());
  }
  std::ranges::sort(
      old, [](const fs::path& a, const fs::path& b) {  // the manifest before what it vouches for
        return std::pair(a.extension() != ".manifest", a) < std::pair(b.extension() != ".manifest", b);
      });
  for (const fs::path& path : old) fs::remove(path, ignored);
}

void Checkpoints::write(Index iteration, const List& list, const std::function<Texts()>& texts) {
  const auto agree = [&](const std::function<std::string()>& do_mine) {
    std::string answer;
    try {
      answer = "+" + do_mine();
    } catch (const Error& error) {
      answer = std::string("-") + error.what();
    }
    std::vector<std::string> all = processes_.gather(answer);
    for (std::string& one : all) {
      if (one[0] == '-') {
        remove_mine(iteration);
        throw MachineError(one.substr(1));
      }
      one.erase(0, 1);
    }
    return all;
  };
  const std::vector<std::string> sums = agree([&] { return write_mine(iteration, list); });
  agree([&] {
    if (processes_.is_first()) write_manifest(manifest(iteration), iteration, texts(), sums);
    return std::string();
  });
  if (!processes_.is_first()) return;
  const std::vector<Index> all = iterations();
  const auto before = std::ranges::find_if(all, [&](Index other) { return other < iteration; });
  remove_all_but(iteration, before == all.end() ? -1 : *before);
}

}  // namespace doc2s
