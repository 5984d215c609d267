// SPDX-License-Identifier: Apache-2.0
#include "fetch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/text.hpp"
#include "check.hpp"
#include "fetch_parts.hpp"

namespace fs = std::filesystem;

namespace doc2s {

bool FetchTarget::needs(const DataFile& file) const {
  return !find_set_in(folder, set()).with_name(file.name);
}

void FetchTarget::say(const std::string& message) const {
  if (request.say) request.say(message);
}

std::string FetchTarget::problem_in_part(const std::string& name, const std::vector<const DataFile*>& files,
                                         bool archived) const {
  FoundSet parts;
  for (const DataFile* file : files) parts.files.push_back({file, part(name), archived});
  try {
    for (const auto& here : check_files(parts))
      if (!here.problem.empty()) return fmt::format("{}: {}", here.found.file->name, here.problem);
  } catch (const MachineError&) {
    throw;
  } catch (const Error& error) {
    return error.problem();
  }
  return "";
}

void FetchTarget::accept(const std::string& name) const {
  std::error_code error;
  fs::rename(part(name), folder + "/" + name, error);
  if (error) throw_system_error("the file cannot be named", folder + "/" + name, error.value());
  say(fmt::format("{} is installed", folder + "/" + name));
}

void FetchTarget::keep(const std::string& name, const std::vector<const DataFile*>& files,
                       bool archived) const {
  const std::string problem = problem_in_part(name, files, archived);
  if (problem.empty()) return accept(name);
  fs::remove(part(name));
  throw WrongBytes(fmt::format("the download of {} is not the published file ({})", name, problem));
}

PartFile::PartFile(const std::string& path) : path_(path), out_(path, std::ios::binary | std::ios::trunc) {
  if (!out_) throw_system_error("the file cannot be written", path_, errno);
}

void PartFile::write(std::string_view bytes) {
  if (!out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw_system_error("the file cannot be written", path_, errno);
}

void PartFile::close() {
  out_.close();
  if (!out_) throw_system_error("the file cannot be written", path_, errno);
}

namespace {

// Allows one fetch at a time per folder.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder) : file_(open(folder.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) throw_system_error("the folder cannot be opened", folder, errno);
    if (flock(file_, LOCK_EX | LOCK_NB) == 0) return;
    close(file_);
    throw Error("another doc2s is fetching into this folder", folder,
                "wait for it, or give another with --to");
  }
  ~FolderLock() { close(file_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw_system_error("the folder cannot be made", folder, error.value());
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error("the folder cannot be written", folder, "give another with --to");
}

// Whether the nearest existing ancestor is writable.
bool can_be_written(fs::path path) {
  std::error_code unreachable;
  while (!fs::exists(path, unreachable) && path.has_relative_path()) path = path.parent_path();
  return fs::is_directory(path, unreachable) && access(path.c_str(), W_OK | X_OK) == 0;
}

struct Failures {
  std::vector<std::string> reasons;
  bool wrong_bytes = false;
};

template <class Way>
bool succeeds(Way way, Failures& failures) {
  try {
    way();
    return true;
  } catch (const WrongBytes& error) {
    failures.wrong_bytes = true;
    failures.reasons.push_back(error.what());
  } catch (const NoWay& error) {
    failures.reasons.push_back(error.what());
  }
  return false;
}

[[noreturn]] void give_up(const FetchTarget& target, const Failures& failures) {
  std::vector<std::string> names;
  for (const auto& link : target.set().links) names.push_back(link.substr(link.rfind('/') + 1));
  const std::string what =
      fmt::format("{} could not be fetched: {}", target.set().name, joined(failures.reasons, "; "));
  const std::string hint =
      fmt::format("by hand: put {} from {} into {}", joined(names), target.set().page, target.folder);
  if (failures.wrong_bytes) throw Error(what, "", hint);
  throw MachineError(what, "", hint);
}

bool reach(const FetchTarget& target, Failures& failures) {
  const DataSet& set = target.set();
  const bool leave_there = target.request.directory.empty();
  const auto from_debian = [&] {
    return !set.debian_package.empty() && succeeds([&] { fetch_from_debian(target, leave_there); }, failures);
  };
  if (leave_there && from_debian()) return true;
  make_folder(target.folder);
  const FolderLock lock(target.folder);
  if (!leave_there && from_debian()) return true;
  if (!set.npm_package.empty() && succeeds([&] { fetch_from_npm(target); }, failures)) return true;
  return succeeds([&] { fetch_from_page(target); }, failures);
}

}  // namespace

std::string fetch_directory() {
  const auto places = data_directories();
  for (std::size_t k = 0; k + 1 < places.size(); ++k)  // the last one is Debian's
    if ((k == 0 || k + 2 == places.size()) && can_be_written(places[k])) return places[k];
  throw Error("there is no folder to put data into", "", "give one with --to, or set DOC2S_DATA");
}

Fetched fetch(const FetchRequest& request) {
  const std::string directory = request.directory.empty() ? "" : fs::absolute(request.directory).string();
  const auto look = [&] {
    return directory.empty() ? find_set(request.set)
                             : find_set_in(directory + "/" + request.set.name, request.set);
  };
  if (FoundSet found = look(); found.complete) return {std::move(found), true};
  const FetchTarget target{
      request, (fs::path(directory.empty() ? fetch_directory() : directory) / request.set.name).string()};
  Failures failures;
  if (!reach(target, failures)) give_up(target, failures);
  FoundSet found = look();
  if (found.complete) return {std::move(found), false};
  return {find_set_in(target.folder, request.set), false};
}

}  // namespace doc2s
