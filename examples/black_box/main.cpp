// SPDX-License-Identifier: Apache-2.0
// Eight sites have a simulation each, of which only values are known. Killed and started again, it goes on.
#include <cmath>
#include <cstdio>
#include <doc2s/doc2s.hpp>

double simulate(int site, std::span<const double> x) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double off = x[j] - 2 - std::sin(site + static_cast<double>(j));
    sum += std::abs(off) + 0.1 * std::cos(5 * off);
  }
  return sum;
}

int main(int argc, char** argv) {
  try {
    const auto problem = doc2s::black_box(8, 20, simulate);
    auto options = doc2s::Options::from_toml(R"(
      network = { graph = "ring" }
      method = { name = "doc2s-travel", K = 200, T = 100, D = 0.02, eta = 0.0005, delta_prime = 0.01 }
      run = { record_every = 200, checkpoint_every = "500" }
    )");
    options.set("run.directory", argc > 1 ? argv[1] : "runs/black_box");
    options.set("run.resume", true);
    const auto result = doc2s::solve(problem, options);
    if (result.rank > 0) return 0;
    for (const auto& note : result.notes) std::printf("note: %s\n", note.c_str());
    std::printf("f from %.4f to %.4f after %.0f evaluations, hash %s\n",
                result.records.front()["loss_mean_point"], result.records.back()["loss_mean_point"],
                result.summary.at("evaluations").number(), result.summary.at("trajectory").text().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
