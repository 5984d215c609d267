#include "output_file.hpp"

#include <cerrno>
#include <filesystem>

#include "doc2s/base/error.hpp"
#include "report.hpp"

namespace doc2s {

namespace fs = std::filesystem;

OutputFile::OutputFile(const std::string& path) : path_(path), part_(path + ".part") {
  std::error_code unknown;
  if (path.empty()) throw Error("the name of the file to write is empty", "report");
  if (fs::is_directory(path, unknown)) throw Error("is a directory", path, "give the name of a file");
  stream_.open(part_, std::ios::binary);
  if (!stream_) throw_system_error("cannot be written", path_, errno);
}

OutputFile::~OutputFile() {
  std::error_code ignored;
  if (!part_.empty()) fs::remove(part_, ignored);
}

void OutputFile::finish() {
  if (stream_) errno = 0;  // otherwise it says why a write failed
  stream_.close();
  if (!stream_) throw_system_error("cannot be written", path_, errno != 0 ? errno : EIO);
  std::error_code failed;
  fs::rename(part_, path_, failed);
  if (failed) throw_system_error("cannot be written", path_, failed.value());
  part_.clear();
}

void write_whole_file(const std::string& path, const std::string& bytes) {
  OutputFile file(path);
  file.stream() << bytes;
  file.finish();
}

}  // namespace doc2s
