// SPDX-License-Identifier: Apache-2.0
#include "checkpoint_keeper.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "config/config_difference.hpp"
#include "doc2s/base/error.hpp"
#include "resumption.hpp"

namespace doc2s {

namespace {

template <class Real>
CheckpointHeader header_of(const Experiment<Real>& experiment) {
  CheckpointHeader header;
  header.clients = experiment.world.n();
  header.dimension = experiment.world.d();
  header.number_bytes = sizeof(Real);
  header.config = way_hash(experiment.config);
  return header;
}

}  // namespace

bool asks_for_checkpoints(const Settings& run) {
  return run.given("checkpoint_every") && run.text("checkpoint_every") != "never";
}

template <class Real>
CheckpointKeeper<Real>::CheckpointKeeper(Experiment<Real>& experiment, std::vector<std::uint64_t> fingerprint,
                                         const RunOptions& options, const SharedFolder& folder)
    : experiment_(experiment),
      options_(options),
      directory_(folder.path),
      is_off_(!folder.blind_ranks.empty()),
      rhythm_(experiment.config.run),
      checkpoints_(folder.path, experiment.processes, experiment.transport->clients(), header_of(experiment)),
      fingerprint_(std::move(fingerprint)) {}

template <class Real>
void CheckpointKeeper<Real>::warn(const std::string& warning) const {
  if (experiment_.processes.is_first() && options_.on_warning) options_.on_warning(warning);
}

// All that the next step and the next record go by.
template <class Real>
void CheckpointKeeper<Real>::list(RunState& at, State& state) {
  const int first = experiment_.transport->clients().first;
  at.list(state);
  state.by_client("fingerprint", sizeof(std::uint64_t), [&](int client) {
    return std::as_writable_bytes(std::span(&fingerprint_[client - first], 1));
  });
  experiment_.oracle->state(state);
  experiment_.peers.state(state);
  experiment_.algorithm->state(state);
}

template <class Real>
void CheckpointKeeper<Real>::begin() const {
  try {
    checkpoints_.write_start({{"config", written(experiment_.config)}});
  } catch (const Error& error) {
    checkpoints_.remove_start();
    miss(0, error.what());
  }
}

template <class Real>
bool CheckpointKeeper<Real>::resume(RunState& at) {
  Checkpoints::Found found = checkpoints_.newest([&](const auto& texts) {
    check_records(texts, directory_);
    check_trace(texts, options_.trace);
  });
  if (found.iteration < 0 && !found.refused.empty()) {  // records may be lost, the run need not
    const auto refused = std::move(found.refused);
    found = checkpoints_.newest([&](const auto& texts) { check_trace(texts, options_.trace); });
    if (found.iteration < 0) found.refused = refused;
  }
  if (experiment_.processes.is_first()) {
    check_resumable(directory_, found, experiment_.config);
    if (found.iteration >= 0) check_trace_goes_on(found.texts, options_.trace);
  }
  for (const std::string& reason : found.refused) warn(reason);
  if (found.iteration < 0) return false;
  if (is_off_) throw Error("not all ranks see its checkpoints", directory_, "move it to where they do");
  const std::vector<std::uint64_t> now = fingerprint_;
  checkpoints_.read(found.iteration, [&](State& state) { list(at, state); });
  if (fingerprint_ != now)
    throw Error("the data or the network changed since the run started", directory_,
                "give it the same files, or start a new run");
  last_ = tried_ = at.iteration;
  rhythm_.wrote(at.seconds);
  return true;
}

template <class Real>
bool CheckpointKeeper<Real>::keeps_the_end() const {
  return last_ >= 0 || asks_for_checkpoints(experiment_.config.run);
}

template <class Real>
Checkpoints::Texts CheckpointKeeper<Real>::texts(const RunState& at) const {
  Checkpoints::Texts texts = {{"config", written(experiment_.config)},
                              {"metrics_bytes", std::to_string(at.metrics_bytes)}};
  if (options_.trace.empty()) return texts;
  texts["trace"] = std::filesystem::absolute(options_.trace).string();
  texts["trace_bytes"] = std::to_string(at.trace_bytes);
  return texts;
}

template <class Real>
void CheckpointKeeper<Real>::write(RunState& at, const std::function<void()>& sync) {
  tried_ = at.iteration;
  try {
    const auto synced_list = [&](State& state) {
      sync();
      list(at, state);
    };
    checkpoints_.write(at.iteration, synced_list, [&] { return texts(at); });
    last_ = at.iteration;
  } catch (const MachineError& error) {
    miss(at.iteration, error.what());
  }
}

template <class Real>
void CheckpointKeeper<Real>::miss(Index iteration, const std::string& reason) const {
  const std::string last =
      last_ < 0 ? "there is none so far" : fmt::format("the last good one is of iteration {}", last_);
  const std::string what = fmt::format("no checkpoint at iteration {}, {}: {}", iteration, last, reason);
  if (experiment_.config.run.text("on_checkpoint_error") == "stop") throw MachineError(what);
  warn(what);
}

template class CheckpointKeeper<float>;
template class CheckpointKeeper<double>;

}  // namespace doc2s
