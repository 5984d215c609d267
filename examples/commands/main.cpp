// SPDX-License-Identifier: Apache-2.0
// A program of your own with all of doc2s's commands, which know your problem by its name:
//   ./mine run simulation.toml      ./mine tune simulation.toml --budget samples=20000      ./mine --help
#include <cmath>
#include <doc2s/doc2s.hpp>

std::unique_ptr<doc2s::Problem<double>> make_simulation(const doc2s::Settings& problem, int clients,
                                                        std::uint64_t) {
  const double roughness = problem.real("roughness");
  const auto simulate = [=](int site, std::span<const double> x) {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double off = x[j] - 2 - std::sin(site + static_cast<double>(j));
      sum += std::abs(off) + roughness * std::cos(5 * off);
    }
    return sum;
  };
  return std::make_unique<doc2s::BlackBox>(clients, problem.integer("dimension"), simulate);
}

int main(int argc, char** argv) {
  doc2s::register_problem("simulation", make_simulation,
                          {doc2s::integer_option("dimension", 20, "numbers that a site takes").at_least(1),
                           doc2s::real_option("roughness", 0.1, "height of the ripples").at_least(0)});
  return doc2s::command_line(argc, argv);
}
