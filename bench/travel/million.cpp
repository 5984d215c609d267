// SPDX-License-Identifier: Apache-2.0
#include "million.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "child.hpp"
#include "scratch.hpp"

namespace doc2s::bench {

namespace {

constexpr const char* config_of_a_million =
    "[problem]\ndata = \"synthetic\"\nsize = 1000000\ndimension = 1000\n"
    "[clients]\ncount = 1000000\n"
    "[method]\nname = \"{}\"\nK = 1\nT = 1\n";

// Looks often, as a process has no peak any more once it has ended.
double peak_of(const Child& child) {
  double peak = 0;
  while (const double now = child.peak_bytes()) {
    peak = std::max(peak, now);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return peak;
}

}  // namespace

void start_a_million(const std::string& method, const Setting& setting, Findings& out) {
  const Scratch folder;
  folder.write("million.toml", fmt::format(fmt::runtime(config_of_a_million), method));
  double peak = 0;
  const Timed run = clocked([&] {
    Child child({"/proc/self/exe", "run", folder.path("million.toml"), "--out", folder.path("run"), "--force",
                 "--quiet"});
    peak = std::max(peak, peak_of(child));
    if (child.end() != 0) throw WrongAnswer("a run with a million clients failed", "bench travel");
  });
  const double seconds = best_of_turns({run}, setting.patience(0)).front();
  const std::string what = method + ", n=1000000 d=1000: start and one iteration";
  out.add_time(what, seconds);
  out.table.push_back({"n=1000000 d=1000, from the shell", method, fmt::format("{:.2f} s", seconds), "",
                       fmt::format("{:.0f} MB", 1e-6 * peak)});
  out.ratios.push_back({what + ": seconds", seconds, Ratio::Wanted::at_most, 10});
  out.ratios.push_back({what + ": GB", 1e-9 * peak, Ratio::Wanted::at_most, 2});
}

}  // namespace doc2s::bench
