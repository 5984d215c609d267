#include "own_folder.hpp"

#include <filesystem>

#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "report/report.hpp"

namespace doc2s {

namespace fs = std::filesystem;

void check_folder(const std::string& root, const std::string& mark, const std::string& text,
                  const std::string& command, const std::string& another) {
  const fs::path path = fs::path(root) / mark;
  if (!fs::exists(root)) return;
  if (!fs::is_directory(root)) throw Error("is not a directory", root, "give another --out");
  if (!fs::is_empty(root) && !fs::exists(path))
    throw Error("holds other things than what " + command + " made", root, "give another --out");
  if (fs::exists(path) && read_plain(path.string()) != text)
    throw Error("holds " + another, root, "give another --out");
}

void claim_folder(const std::string& root, const std::string& mark, const std::string& text) {
  std::error_code failed;
  fs::create_directories(root, failed);
  if (failed) throw_system_error("cannot be made a directory", root, failed.value());
  write_whole_file((fs::path(root) / mark).string(), text);
}

void drop_large_files(const std::string& directory, bool keep_outputs) {
  if (!keep_outputs) fs::remove(directory + "/output.npy");
  fs::remove_all(directory + "/checkpoint");
}

}  // namespace doc2s
