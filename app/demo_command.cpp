#include <fmt/format.h>

#include "carry_out.hpp"
#include "commands.hpp"
#include "progress.hpp"

namespace doc2s::app {

namespace {

constexpr const char* demo_config = R"(
seed = 1
[problem]
name = "svm"
data = "synthetic"
size = 8000
dimension = 100
[clients]
count = 16
[network]
graph = "ring"
neighbours = 3
[method]
name = "doc2s"
K = 80
T = 100
R = 8
eta = 0.05
D = 0.05
[run]
record_every = 800
)";

void print_bar(const Progress& progress, double first_loss) {
  const double share = progress.measures.loss_mean_point / first_loss;
  const auto length = static_cast<std::size_t>(40 * std::min(1.0, std::max(0.0, share)));
  fmt::print("{:>9}  {:>7}  {:>20}  {:.4f} {}\n", with_commas(progress.counts.iteration),
             with_commas(progress.counts.samples), with_commas(progress.counts.communication_rounds),
             progress.measures.loss_mean_point, std::string(length, '#'));
}

}  // namespace

int demo_command(const std::string& out) {
  const Config config = parse_configs(demo_config, "demo").front();
  fmt::print(
      "DOC2S on a capped-l1 support vector machine: {} synthetic samples on {} clients in a ring, no "
      "server.\n"
      "In each iteration one client draws one sample; {} rounds of gossip keep the others close.\n\n",
      with_commas(config.problem.integer("size")), config.clients.integer("count"),
      config.method.integer("R"));
  fmt::print("{:>9}  {:>7}  {:>20}  {}\n", "iteration", "samples", "communication rounds",
             "loss at the clients' mean");
  RunOptions options;
  options.numbered = out.empty();
  options.directory = options.numbered ? "runs/demo" : out;
  double first_loss = 0;
  options.on_progress = [&](const Progress& progress) {
    if (!progress.record) return;
    if (progress.counts.iteration == 0) first_loss = progress.measures.loss_mean_point;
    print_bar(progress, first_loss);
  };
  const Summary summary = carry_out(config, options, /*quiet=*/true);
  fmt::print("\nThe same again, with your changes: doc2s run {}/config.toml --set network.graph=torus\n",
             summary.directory);
  return exit_code(summary);
}

}  // namespace doc2s::app
