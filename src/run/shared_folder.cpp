// SPDX-License-Identifier: Apache-2.0
#include "shared_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace fs = std::filesystem;

namespace {

// An empty file, as long as this lives, by a name that only this run can have found.
class Token {
 public:
  Token(const RunDirectory& directory, const std::string& name) : path_(directory.file(name)) {
    directory.write(name, "");
  }
  ~Token() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  Token(const Token&) = delete;
  Token& operator=(const Token&) = delete;

 private:
  std::string path_;
};

std::string token_name() {
  return fmt::format(".first-{}-{}", getpid(), std::chrono::system_clock::now().time_since_epoch().count());
}

// NFS remembers for a while that a file was absent; opening the folders makes it look again.
bool has_token(const fs::path& folder, const std::string& token) {
  std::error_code unknown;
  fs::path part;
  for (const fs::path& name : folder) {
    part /= name;
    const fs::directory_iterator opened(part, unknown);
  }
  return fs::exists(folder / token, unknown);
}

// "rank 3", "ranks 1, 2"; "" where it holds for none.
std::string ranks_where(Processes& processes, bool here) {
  std::vector<std::string> ranks;
  const auto all = gathered<char>(processes, {here ? '\1' : '\0'});
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank] != '\0') ranks.push_back(std::to_string(rank));
  return ranks.empty() ? "" : (ranks.size() == 1 ? "rank " : "ranks ") + joined(ranks);
}

// "rank 3: " and what it says; "" where nobody says anything.
std::vector<std::string> said_by_ranks(Processes& processes, const std::string& mine) {
  std::vector<std::string> said;
  const auto all = processes.gather(mine);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank].empty()) said.push_back(fmt::format("rank {}: {}", rank, all[rank]));
  return said;
}

// Each process for which the name leads elsewhere claims that folder; in turn, as two may share it.
void claim_own(Processes& processes, const std::string& name, const std::string& token,
               RunDirectory::Claim claim, SharedFolder& folder) {
  std::string failure, refusal;
  std::optional<Token> made;
  for (int rank = 1; rank < processes.count(); ++rank) {
    if (rank == processes.rank() && !has_token(fs::absolute(name), token)) try {
        folder.own = std::make_unique<RunDirectory>(name, claim);
        made.emplace(*folder.own, token);
      } catch (const Error& error) {
        folder.own.reset();
        (holds_a_run(name) ? refusal : failure) = error.what();
      }
    processes.gather("");
  }
  made.reset();
  if (const auto refusals = said_by_ranks(processes, refusal); !refusals.empty()) {
    folder.own.reset();
    processes.gather("");  // whoever is first to throw ends the others
    throw Error(refusals.front());
  }
  if (const auto paths = said_by_ranks(processes, folder.own ? folder.own->path() : ""); !paths.empty())
    folder.notes.push_back("the model is also left at " + joined(paths));
  for (const std::string& text : said_by_ranks(processes, failure))
    folder.notes.push_back(text + ", so no model is left there");
}

}  // namespace

SharedFolder shared_folder(Processes& processes, const RunDirectory* first, RunDirectory::Claim claim,
                           bool needed_by_all) {
  const auto told = [&](const std::string& text) { return processes.gather(text).front(); };
  SharedFolder folder{told(first ? fs::absolute(first->path()).string() : "")};
  if (processes.count() == 1) return folder;
  const std::string name = told(first ? first->path() : ""), token = told(first ? token_name() : "");
  std::optional<Token> made;
  if (first) made.emplace(*first, token);
  processes.gather("");
  folder.blind_ranks = ranks_where(processes, !has_token(folder.path, token));
  const std::string share = "give an --out that all machines share";
  if (!folder.blind_ranks.empty() && needed_by_all)
    throw Error("is not seen by " + folder.blind_ranks + ", so there can be no checkpoints", folder.path,
                share + ", or leave checkpoint_every and on_checkpoint_error out");
  if (!folder.blind_ranks.empty())
    folder.notes.push_back(fmt::format("{} is not seen by {}, so no checkpoints are written; for them {}",
                                       folder.path, folder.blind_ranks, share));
  claim_own(processes, name, token, claim, folder);
  return folder;
}

}  // namespace doc2s
