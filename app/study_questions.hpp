// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "study/ranking.hpp"
#include "study/tune/tune.hpp"

// What `doc2s tune` and `doc2s sweep` are asked, in the words of their flags; Python asks the same.
namespace doc2s::app {

struct TuneQuestion {
  std::string config{};
  std::string budget{};                // "samples=64000"
  std::vector<std::string> changes{};  // "key=value"
  std::vector<std::string> over{};     // "key=low..high"
  std::string by = "loss_mean_point";
  std::string out{};  // "": runs/CONFIG-tune
  int trials = 64;
  int jobs = 0;  // 0: as many as there are cores
};
TuneRequest tune_request(const TuneQuestion& asked);

struct SweepQuestion {
  std::string config{};
  std::vector<std::string> changes{};  // "key=value"
  std::vector<std::string> over{};     // "key=value,value…"
  std::string out{};                   // "": runs/CONFIG-sweep
  std::string by = "loss_mean_point";
  std::string at{};  // "samples=4000"; "" at the end
  int jobs = 1;
};

struct Swept {
  std::string root;
  Yardstick by;
  std::vector<SweepCase> cases;
  std::vector<RankedSetting> settings() const { return ranked(cases, by); }
};

// Runs what is not done yet and writes the ranking. `news`: "3 of 8: …"; `going`: "3 of 8 cases, 41%", now
// and then.
Swept sweep(const SweepQuestion& asked, const std::atomic<bool>& stop,
            const std::function<void(const std::string& text)>& news,
            const std::function<void(const std::string& text)>& going = {});

}  // namespace doc2s::app
