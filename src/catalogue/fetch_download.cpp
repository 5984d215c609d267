// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "fetch_parts.hpp"

namespace fs = std::filesystem;

namespace doc2s {

namespace {

bool exists(const std::string& path) {
  std::error_code unreachable;
  return fs::exists(path, unreachable);
}

// Continues a partial download. Throws NoWay if neither program is installed.
int download(const std::string& link, const std::string& part, bool progress) {
  const std::string bar = progress ? "--progress-bar" : "--silent";
  const int code = run_program({"curl", "--fail", "--location", "--show-error", bar, "--connect-timeout",
                                "20", "--retry", "2", "--speed-limit", "1", "--speed-time", "60",
                                "--continue-at", "-", "--output", part, link});
  if (code != -1) return code;
  const std::string output = progress ? "--progress=bar" : "--no-verbose";
  const int other = run_program(
      {"wget", output, "--tries=3", "--timeout=60", "--continue", "--output-document=" + part, link});
  if (other == -1) throw NoWay("neither curl nor wget is installed");
  return other;
}

// For a server that cannot continue within a file. The old part is kept unless new bytes arrive.
int download_again(const std::string& link, const std::string& part, bool progress) {
  const std::string old = part + ".old";
  fs::rename(part, old);
  const int code = download(link, part, progress);
  if (code != 0 && !exists(part))
    fs::rename(old, part);
  else
    fs::remove(old);
  return code;
}

struct Link {
  std::string address, name;  // name: file name, e.g. train-images-idx3-ubyte.gz
  std::vector<const DataFile*> files;
  bool archive;
};

Link link_to(const std::string& address, const FetchTarget& target) {
  Link link{address, address.substr(address.rfind('/') + 1), {}, !target.set().archive.empty()};
  for (const auto& file : target.set().files) {
    const bool meant = link.archive || link.name == file.name || fs::path(link.name).stem() == file.name;
    if (meant && !file.stand_in() && target.needs(file)) link.files.push_back(&file);
  }
  return link;
}

void keep(const Link& link, const FetchTarget& target) { target.keep(link.name, link.files, link.archive); }

void check_download(int code, const Link& link, const std::string& part) {
  if (code != 0 || !exists(part))
    throw NoWay(fmt::format("{} could not be fetched (exit code {})", link.address, code));
}

void fetch_link(const Link& link, const FetchTarget& target) {
  const std::string part = target.part(link.name);
  const bool progress = target.request.progress;
  const bool resumed = exists(part);
  if (resumed && target.problem_in_part(link.name, link.files, link.archive).empty())
    return target.accept(link.name);
  target.say(fmt::format("{} {}", resumed ? "resuming" : "fetching", link.address));
  int code = download(link.address, part, progress);
  constexpr int refused[] = {
      8, 22, 33,
      36};  // exit codes of a refusal by the server; the last two: it cannot continue within a file
  if (resumed && std::count(std::begin(refused), std::end(refused), code) > 0)
    code = download_again(link.address, part, progress);
  check_download(code, link, part);
  try {
    keep(link, target);
  } catch (const WrongBytes&) {
    if (!resumed) throw;
    target.say("the partial download does not match; starting again");
    check_download(download(link.address, part, progress), link, part);
    keep(link, target);
  }
}

}  // namespace

void fetch_from_page(const FetchTarget& target) {
  for (const auto& address : target.set().links)
    if (const Link link = link_to(address, target); !link.files.empty()) fetch_link(link, target);
}

}  // namespace doc2s
