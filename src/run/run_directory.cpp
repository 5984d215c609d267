#include "doc2s/run/run_directory.hpp"

#include <cerrno>
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

constexpr const char* run_files[] = {"config.toml", "metrics.jsonl", "summary.json", "output.npy",
                                     "last.npy"};

bool holds_a_run(const fs::path& directory) {
  for (const char* name : run_files)
    if (fs::exists(directory / name)) return true;
  return false;
}

}  // namespace

RunDirectory::RunDirectory(std::string path, bool force) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw_system_error("cannot be made a run's directory", path_, error.value());
  if (!fs::is_directory(path_)) throw Error("is not a directory", path_, "give another --out");
  if (holds_a_run(path_) && !force)
    throw Error("already holds a run", path_, "give another --out, or --force to replace that run");
  LineFile(file("metrics.jsonl"));  // refuses a folder that cannot be written before anything is removed
  for (const char* name : run_files) fs::remove(file(name), error);
}

void RunDirectory::write(const std::string& name, const std::string& bytes) const {
  const std::string part = file("." + name + ".part");
  std::FILE* out = std::fopen(part.c_str(), "wb");
  if (!out) throw_system_error("cannot be written", part, errno);
  const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
  const int write_error = errno;
  if (std::fclose(out) != 0 || !whole)
    throw_system_error("cannot be written", part, whole ? errno : write_error);
  if (std::rename(part.c_str(), file(name).c_str()) != 0)
    throw_system_error("cannot be written", file(name), errno);
}

std::string unused_directory(const std::string& base) {
  std::string path = base;
  for (int k = 2; fs::exists(path); ++k) path = base + "-" + std::to_string(k);
  return path;
}

namespace {

template <class Real>
std::string npy_head(const std::string& shape) {
  const std::string type = sizeof(Real) == 4 ? "<f4" : "<f8";
  std::string head = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t before = 10;  // magic, version, length of the head
  while ((before + head.size() + 1) % 64 != 0) head += ' ';
  head += '\n';
  const auto length = static_cast<unsigned>(head.size());
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length & 0xff) +
         static_cast<char>(length >> 8) + head;
}

template <class Real>
std::string bytes_of(std::span<const Real> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace

template <class Real>
std::string npy(const Rows<Real>& rows) {
  const ClientRange clients = rows.clients();
  std::string bytes = npy_head<Real>(std::to_string(clients.count) + ", " + std::to_string(rows.dimension()));
  for (int i = clients.first; i < clients.end(); ++i) bytes += bytes_of<Real>(rows.row(i));
  return bytes;
}

template <class Real>
std::string npy(std::span<const Real> numbers) {
  return npy_head<Real>(std::to_string(numbers.size()) + ",") + bytes_of(numbers);
}

template std::string npy(const Rows<float>&);
template std::string npy(const Rows<double>&);
template std::string npy(std::span<const float>);
template std::string npy(std::span<const double>);

}  // namespace doc2s
