// SPDX-License-Identifier: Apache-2.0
#include "own_folder.hpp"

#include <filesystem>

#include "base/file_writer.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace fs = std::filesystem;

namespace {

// But for the mark that one which was killed was about to write.
bool holds_others(const fs::path& root, const std::string& mark) {
  for (const auto& entry : fs::directory_iterator(root))
    if (entry.path().filename() != "." + mark + ".part") return true;
  return false;
}

}  // namespace

void check_folder(const std::string& root, const std::string& mark, const std::string& text,
                  const std::string& command, const std::string& another) {
  const fs::path path = fs::path(root) / mark;
  if (!fs::exists(root)) return;
  if (!fs::is_directory(root)) throw Error("is not a directory", root, "give another --out");
  if (!fs::exists(path) && holds_others(root, mark))
    throw Error("holds other things than what " + command + " made", root, "give another --out");
  if (fs::exists(path) && read_plain(path.string()) != text)
    throw Error("holds " + another, root, "give another --out");
}

void claim_folder(const std::string& root, const std::string& mark, const std::string& text) {
  make_folders(root);
  write_whole_file((fs::path(root) / mark).string(), text);
}

void drop_large_files(const std::string& directory, bool keep_outputs) {
  std::error_code ignored;  // what stays takes room, no more
  if (!keep_outputs) fs::remove(directory + "/output.npy", ignored);
  fs::remove_all(directory + "/checkpoint", ignored);
}

}  // namespace doc2s
