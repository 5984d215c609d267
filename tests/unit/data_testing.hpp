// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "doc2s/base/error.hpp"

// What the tests of the data layer share: a scratch folder, compressed files, the error that a call throws.
namespace doc2s::data_testing {

class Scratch : public ::testing::Test {
 protected:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "doc2s-data-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Scratch() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return path(name);
  }

  std::filesystem::path folder_;
};

// The bytes packed by one of libarchive's filters: "gzip", "bzip2", "xz", "zstd".
inline std::string packed(const std::string& bytes, const char* filter) {
  std::string out(bytes.size() * 2 + 65536, '\0');
  std::size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_set_format_raw(writer);
  archive_write_add_filter_by_name(writer, filter);
  archive_write_set_bytes_in_last_block(writer, 1);
  archive_write_open_memory(writer, out.data(), out.size(), &used);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(writer, entry);
  archive_write_data(writer, bytes.data(), bytes.size());
  archive_entry_free(entry);
  EXPECT_EQ(archive_write_close(writer), ARCHIVE_OK) << archive_error_string(writer);
  archive_write_free(writer);
  out.resize(used);
  return out;
}

using Members = std::vector<std::pair<std::string, std::string>>;  // names and bytes of files

// Adds the files to an archive that is open for writing into memory, and closes it.
inline void add_members(archive* writer, const Members& files) {
  for (const auto& [name, bytes] : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
    archive_write_header(writer, entry);
    archive_write_data(writer, bytes.data(), bytes.size());
    archive_entry_free(entry);
  }
  EXPECT_EQ(archive_write_close(writer), ARCHIVE_OK) << archive_error_string(writer);
  archive_write_free(writer);
}

inline std::size_t room_for(const Members& files) {
  std::size_t room = 65536;
  for (const auto& [name, bytes] : files) room += bytes.size() + 4096;
  return room;
}

// A tar archive of these files, packed by one of libarchive's filters, "" for none.
inline std::string tar(const Members& files, const char* filter) {
  std::string out(room_for(files), '\0');
  std::size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_set_format_ustar(writer);
  if (*filter) archive_write_add_filter_by_name(writer, filter);
  archive_write_open_memory(writer, out.data(), out.size(), &used);
  add_members(writer, files);
  out.resize(used);
  return out;
}

template <class Action>
Error error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return Error("");
}

inline bool says(const Error& error, const std::string& words) {
  return std::string(error.what()).find(words) != std::string::npos;
}

// Sets a variable of the environment for a scope; nullptr takes it out.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    change(value);
  }
  ~Variable() { change(old_ ? old_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void change(const char* value) { value ? setenv(name_, value, 1) : unsetenv(name_); }
  const char* name_;
  std::optional<std::string> old_;
};

}  // namespace doc2s::data_testing
