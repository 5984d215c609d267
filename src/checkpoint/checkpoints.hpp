// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint_file.hpp"
#include "doc2s/base/processes.hpp"
#include "doc2s/base/state.hpp"

namespace doc2s {

// The checkpoints of a run, the last two of them: each a file a process and, written last, a manifest that
// tells that they are whole. Before the first of them there is the manifest of the start, which lists no
// files: it tells a run that has no checkpoint yet from one that lost them. The first process
// alone writes and removes it; all else must be called by all processes together.
class Checkpoints {
 public:
  static constexpr const char* start_name = "start.manifest";
  using List = std::function<void(State&)>;          // lists what is to be kept
  using Texts = std::map<std::string, std::string>;  // what the manifest holds besides, e.g. the config

  // `like`: a header with n, d, precision and config as this run has them.
  Checkpoints(std::string run_directory, Processes& processes, ClientRange here, CheckpointHeader like);

  struct Found {
    Index iteration = -1;              // −1: there is none that can be used
    bool at_start = false;             // none was written so far
    std::vector<std::string> refused;  // newer ones, and why
    Texts texts;
  };
  // That is whole, and of which `check` (at the first process, as texts and reasons are) throws no Error.
  Found newest(const std::function<void(const Texts&)>& check) const;

  void write_start(const Texts& texts) const;
  void remove_start() const;  // and the folder, if there is nothing else in it

  // Throws MachineError in all processes where one of them fails; then nothing of it is left.
  void write(Index iteration, const List& list, const std::function<Texts()>& texts);
  void read(Index iteration, const List& list) const;

 private:
  std::string file(Index iteration, const std::string& what) const;
  std::string rank_file(Index iteration, int rank) const;
  std::string manifest(Index iteration) const { return file(iteration, "manifest"); }
  std::string start_manifest() const { return folder_ + "/" + start_name; }
  CheckpointHeader header(Index iteration, int rank) const;

  Found newest_here(const std::function<void(const Texts&)>& check) const;
  Texts verified_texts(Index iteration) const;
  std::vector<Index> iterations() const;  // that have a manifest, the newest first
  void make_folder() const;
  std::string write_mine(Index iteration, const List& list) const;
  void write_manifest(const std::string& path, Index iteration, const Texts& texts,
                      const std::vector<std::string>& sums) const;
  void remove_mine(Index iteration) const;
  void remove_all_but(Index iteration, Index before) const;

  std::string folder_;
  Processes& processes_;
  ClientRange here_;
  CheckpointHeader like_;
};

}  // namespace doc2s
