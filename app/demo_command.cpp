// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "aside.hpp"
#include "carry_out.hpp"
#include "catalogue/catalogue.hpp"
#include "commands.hpp"
#include "demo_story.hpp"
#include "flags.hpp"
#include "numbers.hpp"
#include "run/run_directory.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace {

// The same samples for all, and no clock, so that the figures are the same every time.
constexpr const char* demo_config = R"(
seed = 1
precision = "float32"
[problem]
name = "mlp"
hidden = [64]
batch = 16
evaluation = 1024
[clients]
count = 16
partition = "sorted"
[network]
graph = "ring"
neighbours = 3
[run]
record_every = 50
budget = { samples = 64000 }
[[method]]
name = "doc2s"
label = "DOC2S R=2"
K = 1000
T = 100
R = 2
eta = 0.01
D = 0.05
[[method]]
name = "doc2s"
label = "DOC2S R=8"
K = 1000
T = 100
R = 8
eta = 0.01
D = 0.05
[[method]]
name = "me-dol"
label = "ME-DOL"
K = 1000
T = 100
eta = 0.01
D = 0.05
)";

struct Images {
  std::string data, title;
};

// MNIST or Fashion-MNIST where one of them is installed.
Images images_here() {
  for (const Images& set : {Images{"mnist", "MNIST"}, Images{"fashion-mnist", "Fashion-MNIST"}})
    if (find_set(*data_set_named(set.data)).complete) return set;
  return {"synthetic", "synthetic images"};
}

void print_introduction(const Images& images) {
  fmt::print(
      "A ReLU network on {}, split by label over 16 clients in a ring without a server: each client\n"
      "holds images of one or two labels. In an iteration of DOC2S one client computes, and R rounds of "
      "gossip\n"
      "carry its step to 5 clients (R = 2) or to all (R = 8); in an iteration of ME-DOL all 16 compute. "
      "Each\n"
      "draws 64,000 samples, with which DOC2S makes 16 times as many iterations.\n",
      images.title);
  if (images.data == "synthetic") fmt::print("(With real images it says more: doc2s data get mnist)\n");
  fmt::print("\n");
}

RunOne run_contestant(bool quiet) {
  return [quiet](const Config& config, const RunOptions& options) {
    if (!quiet) aside("{}\n", config.method.text("label"));
    return watched_run(config, options, quiet);
  };
}

// Without seconds: what is printed is the same every time.
void print_results(const Compared& compared) {
  std::vector<Quantity> columns;
  for (const char* name : {"samples", "computation_rounds", "communication_rounds", "bytes",
                           "loss_mean_point", "loss_worst", "accuracy"})
    columns.push_back(quantities()[position_of(name)]);
  std::vector<std::vector<std::string>> rows = {{"method"}};
  for (const Quantity& column : columns) rows.front().push_back(column.heading);
  rows.front().push_back("hash");
  std::vector<Contestant> contestants;
  for (std::size_t k = 0; k < compared.summaries.size(); ++k) {
    const Summary& summary = compared.summaries[k];
    contestants.push_back({compared.configs[k].method.text("label"), summary.end});
    rows.push_back({contestants.back().label});
    for (const Quantity& column : columns) rows.back().push_back(formatted(column, summary.end[column.name]));
    rows.back().push_back(summary.trajectory);
  }
  print_table(rows);
  fmt::print("\n{}\n", demo_story(contestants));
}

int demo_command(const std::string& out, bool quiet) {
  const Images images = images_here();
  const std::vector<Config> configs =
      parse_configs(demo_config, "demo", {{"problem.data", images.data, "demo"}});
  print_introduction(images);
  RunOptions options;
  options.directory = out.empty() ? make_numbered_folder("runs/demo") : out;
  const Compared compared = compare(configs, options, run_contestant(quiet));
  const auto finished = [](const Summary& one) { return one.status == Status::finished; };
  if (!std::ranges::all_of(compared.summaries, finished)) return print_comparison(compared, options);
  print_results(compared);
  fmt::print("Curves, network and settings: ");
  write_page(read_runs({options.directory}), options.directory + "/report.html",
             "DOC2S and ME-DOL at equal samples", quiet);
  fmt::print("One of them again, with your changes: doc2s run {}/config.toml --set network.graph=torus\n",
             compared.summaries[1].directory);
  return 0;
}

}  // namespace

void add_demo(CLI::App& program, Action& action) {
  auto out = std::make_shared<std::string>();
  auto quiet = std::make_shared<bool>(false);
  CLI::App* command = program.add_subcommand("demo", "compare DOC2S and ME-DOL on a small embedded example");
  command->footer("Example:\n  doc2s demo");
  command->add_option("--out", *out, "directory to write into; default: a new one under runs/")
      ->type_name("DIR");
  add_quiet(command, *quiet);
  command->callback([=, &action] { action = [=] { return demo_command(*out, *quiet); }; });
}

}  // namespace doc2s::app
