// SPDX-License-Identifier: Apache-2.0
// A callback sees each record and ends the run once ten of them in a row have brought nothing new.
#include <cmath>
#include <cstdio>
#include <doc2s/doc2s.hpp>

int main() {
  try {
    const auto problem = doc2s::black_box(4, 5, [](int site, std::span<const double> x) {
      double sum = 0;
      for (const double number : x) sum += std::abs(number - site);
      return sum;
    });
    auto options = doc2s::Options::from_toml(R"(
      network = { graph = "complete" }
      method = { name = "dgfm", iterations = 100000, eta = 0.002 }
      run = { record_every = 50 }
    )");
    double best = INFINITY;
    int in_vain = 0;
    options.on_record = [&](const doc2s::Record& record) {
      in_vain = record["loss_mean_point"] < best - 1e-4 ? 0 : in_vain + 1;
      best = std::min(best, record["loss_mean_point"]);
      return in_vain < 10;
    };
    const auto result = doc2s::solve(problem, options);
    std::printf("%s by %s after %.0f iterations at %.4f\n", doc2s::to_text(result.status).c_str(),
                result.summary.at("stopped_by").text().c_str(), result.summary.at("iterations").number(),
                best);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
