// SPDX-License-Identifier: Apache-2.0
#include "run_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/uninterrupted.hpp"
#include "checkpoint/checkpoints.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace fs = std::filesystem;

namespace {

constexpr const char* run_files[] = {"config.toml",   "setting.json", "preprocessing.json",
                                     "metrics.jsonl", "summary.json", "output.npy",
                                     "last.npy"};
constexpr const char* claim_file = run_files[0];
constexpr const char* end_files[] = {"summary.json", "output.npy", "last.npy"};
constexpr const char* checkpoint_folder = "checkpoint";

[[noreturn]] void refuse_directory(const std::string& path, int error_number) {
  const std::string reason = std::strerror(error_number);
  if (error_number == ENOSPC || error_number == EDQUOT || error_number == EIO)
    throw_system_error("cannot be made a run's directory", path, error_number);
  throw Error("cannot be made a run's directory (" + reason + ")", path, "give another --out");
}

[[noreturn]] void refuse_holding_a_run(const std::string& path) {
  throw Error("already holds a run", path, "give another --out, or --force to replace that run");
}

}  // namespace

bool holds_a_run(const std::string& directory) {
  for (const char* name : run_files)
    if (fs::exists(fs::path(directory) / name)) return true;
  return false;
}

bool is_run_file(const std::string& directory, const std::string& path) {
  std::error_code unknown;
  const fs::path full = fs::weakly_canonical(path, unknown), folder(directory);
  for (const char* name : run_files)
    if (full == fs::weakly_canonical(folder / name, unknown)) return true;
  return full.parent_path() == fs::weakly_canonical(folder / checkpoint_folder, unknown);
}

bool has_checkpoint(const std::string& directory) {
  std::error_code unknown;
  for (const auto& entry : fs::directory_iterator(fs::path(directory) / checkpoint_folder, unknown))
    if (entry.path().filename() != Checkpoints::start_name) return true;
  return false;
}

DirectoryLock::DirectoryLock(const std::string& path)
    : folder_(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ >= 0 && flock(folder_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(folder_);
    throw Error("is in use by a running doc2s", path, "wait until it ends");
  }
}

DirectoryLock::~DirectoryLock() {
  if (folder_ >= 0) close(folder_);
}

RunDirectory::RunDirectory(const std::string& path, Claim claim) : path_(path) {
  try {
    if (claim == Claim::numbered)
      for (int k = 2; !make(path_); ++k) path_ = path + "-" + std::to_string(k);
    else if (claim != Claim::resuming)
      make(path_);
    lock_.emplace(path_);
    if (claim != Claim::resuming) take(claim == Claim::replacing);
  } catch (...) {
    undo();
    throw;
  }
}

RunDirectory::~RunDirectory() {
  if (!begun_) undo();
}

bool RunDirectory::make(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  std::error_code unknown;
  if (!parent.empty() && !fs::exists(parent, unknown)) make(parent.string());
  if (mkdir(path.c_str(), 0777) == 0) {
    made_.push_back(path);
    return true;
  }
  const int error_number = errno;
  if (error_number != EEXIST) refuse_directory(path_, error_number);
  return false;
}

// Whoever creates the claim file has the folder.
void RunDirectory::take(bool replacing) {
  if (!fs::is_directory(path_)) throw Error("is not a directory", path_, "give another --out");
  if (holds_a_run(path_) && !replacing) refuse_holding_a_run(path_);
  const int claim = uninterrupted(
      [&] { return open(file(claim_file).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC | O_EXCL, 0666); });
  const int error_number = errno;
  std::error_code unknown;
  const bool left = replacing && fs::is_empty(file(claim_file), unknown);  // by one that was killed
  if (claim >= 0) close(claim);
  claimed_ = claim >= 0 || left;
  if (!claimed_ && error_number != EEXIST) refuse_directory(path_, error_number);
  if (!claimed_ && !replacing) refuse_holding_a_run(path_);
  if (!claimed_ && access(path_.c_str(), W_OK) != 0) refuse_directory(path_, errno);
}

void RunDirectory::undo() {
  std::error_code ignored;
  if (claimed_) fs::remove(file(claim_file), ignored);
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) fs::remove(*folder, ignored);
}

void RunDirectory::begin() {
  std::error_code ignored;
  for (const char* name : run_files)
    if (std::string(name) != claim_file) fs::remove(file(name), ignored);
  fs::remove_all(file(checkpoint_folder), ignored);
  begun_ = true;
}

void RunDirectory::go_on() {
  std::error_code ignored;
  for (const char* name : end_files) fs::remove(file(name), ignored);
  begun_ = true;
}

std::string make_numbered_folder(const std::string& base) {
  std::error_code error;
  if (const fs::path parent = fs::path(base).parent_path(); !parent.empty())
    fs::create_directories(parent, error);
  std::string path = base;
  for (int k = 2; mkdir(path.c_str(), 0777) != 0; ++k) {
    if (errno != EEXIST) refuse_directory(path, errno);
    path = base + "-" + std::to_string(k);
  }
  return path;
}

std::string folder_name(const std::string& label) {
  std::string name;
  for (const char c : label) {
    const bool kept =
        std::isalnum(static_cast<unsigned char>(c)) || std::string("._=,+-").find(c) != std::string::npos;
    name += kept ? c : '-';
  }
  return name.empty() || name[0] == '.' ? "run" + name : name;
}

namespace {

template <class Real>
void put_head(FileWriter& file, const std::string& shape) {
  const std::string type = sizeof(Real) == 4 ? "<f4" : "<f8";
  std::string head = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t before = 10;  // magic, version, length of the head
  while ((before + head.size() + 1) % 64 != 0) head += ' ';
  head += '\n';
  const auto length = static_cast<unsigned>(head.size());
  const std::string start = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length & 0xff) +
                            static_cast<char>(length >> 8) + head;
  file.write(start);
}

}  // namespace

template <class Real>
void put_npy(FileWriter& file, int count, Index dimension,
             const std::function<std::span<const Real>(int)>& row) {
  put_head<Real>(file, std::to_string(count) + ", " + std::to_string(dimension));
  for (int i = 0; i < count; ++i) file.write_numbers(row(i));
}

template <class Real>
void put_npy(FileWriter& file, std::span<const Real> numbers) {
  put_head<Real>(file, std::to_string(numbers.size()) + ",");
  file.write_numbers(numbers);
}

template void put_npy(FileWriter&, int, Index, const std::function<std::span<const float>(int)>&);
template void put_npy(FileWriter&, int, Index, const std::function<std::span<const double>(int)>&);
template void put_npy(FileWriter&, std::span<const float>);
template void put_npy(FileWriter&, std::span<const double>);

}  // namespace doc2s
