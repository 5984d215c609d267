#include "doc2s/run/run_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace fs = std::filesystem;

LineFile::LineFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) throw_system_error("cannot be written", path, errno);
}

void LineFile::write_line(const std::string& line) {
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size() ||
      std::fputc('\n', file_.get()) == EOF)
    throw_system_error("cannot be written", path_, errno);
}

void LineFile::flush() {
  if (std::fflush(file_.get()) != 0) throw_system_error("cannot be written", path_, errno);
}

namespace {

constexpr const char* run_files[] = {"config.toml",  "setting.json", "metrics.jsonl",
                                     "summary.json", "output.npy",   "last.npy"};
constexpr const char* claim_file = run_files[0];

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

RunDirectory::RunDirectory(const std::string& path, Claim claim) : path_(path) {
  try {
    if (claim == Claim::numbered)
      for (int k = 2; !make(path_); ++k) path_ = path + "-" + std::to_string(k);
    else
      make(path_);
    take(claim == Claim::replacing);
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
  const int claim = open(file(claim_file).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC | O_EXCL, 0666);
  const int error_number = errno;
  claimed_ = claim >= 0;
  if (claimed_) close(claim);
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
  begun_ = true;
}

bool RunDirectory::is_own_file(const std::string& path) const {
  std::error_code unknown;
  const fs::path full = fs::weakly_canonical(path, unknown);
  for (const char* name : run_files)
    if (full == fs::weakly_canonical(file(name), unknown)) return true;
  return false;
}

void RunDirectory::write(const std::string& name, const std::function<void(std::FILE*)>& put) const {
  const std::string part = file("." + name + ".part");
  std::FILE* out = std::fopen(part.c_str(), "wb");
  if (!out) throw_system_error("cannot be written", part, errno);
  errno = 0;
  put(out);
  bool whole = std::ferror(out) == 0;
  const int put_error = errno;
  whole = std::fclose(out) == 0 && whole;
  if (whole && std::rename(part.c_str(), file(name).c_str()) == 0) return;
  const int error_number = put_error != 0 ? put_error : errno;
  std::remove(part.c_str());
  throw_system_error("cannot be written", file(name), error_number);
}

void RunDirectory::write(const std::string& name, const std::string& bytes) const {
  write(name, [&](std::FILE* out) { std::fwrite(bytes.data(), 1, bytes.size(), out); });
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
void put_head(std::FILE* file, const std::string& shape) {
  const std::string type = sizeof(Real) == 4 ? "<f4" : "<f8";
  std::string head = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t before = 10;  // magic, version, length of the head
  while ((before + head.size() + 1) % 64 != 0) head += ' ';
  head += '\n';
  const auto length = static_cast<unsigned>(head.size());
  const std::string start = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length & 0xff) +
                            static_cast<char>(length >> 8) + head;
  std::fwrite(start.data(), 1, start.size(), file);
}

template <class Real>
void put_numbers(std::FILE* file, std::span<const Real> numbers) {
  std::fwrite(numbers.data(), sizeof(Real), numbers.size(), file);
}

}  // namespace

template <class Real>
void put_npy(std::FILE* file, int count, Index dimension,
             const std::function<std::span<const Real>(int)>& row) {
  put_head<Real>(file, std::to_string(count) + ", " + std::to_string(dimension));
  for (int i = 0; i < count; ++i) put_numbers<Real>(file, row(i));
}

template <class Real>
void put_npy(std::FILE* file, std::span<const Real> numbers) {
  put_head<Real>(file, std::to_string(numbers.size()) + ",");
  put_numbers(file, numbers);
}

template void put_npy(std::FILE*, int, Index, const std::function<std::span<const float>(int)>&);
template void put_npy(std::FILE*, int, Index, const std::function<std::span<const double>(int)>&);
template void put_npy(std::FILE*, std::span<const float>);
template void put_npy(std::FILE*, std::span<const double>);

}  // namespace doc2s
