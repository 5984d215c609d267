#include <fmt/format.h>

#include "carry_out.hpp"
#include "catalogue/catalogue.hpp"
#include "commands.hpp"
#include "run/run_directory.hpp"

namespace doc2s::app {

namespace {

// The same budget of time for both; the steps as in the paper's grid.
constexpr const char* demo_config = R"(
seed = 1
precision = "float32"
[problem]
name = "mlp"
batch = 16
evaluation = 1024
[clients]
count = 16
[network]
graph = "ring"
neighbours = 3
[run]
record_every = 25
budget = { seconds = 15 }
[[method]]
name = "doc2s"
label = "DOC2S"
K = 1000
T = 100
R = 2
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

constexpr const char* images = "fashion-mnist";

int demo_command(const std::string& out) {
  const bool here = find_set(*data_set_named(images)).complete;
  const std::vector<Config> configs =
      parse_configs(demo_config, "demo", {{"problem.data", here ? images : "synthetic", "demo"}});
  fmt::print(
      "A ReLU network on {}, split over 16 clients in a ring without a server: DOC2S, where one client\n"
      "computes in an iteration, against ME-DOL, where all do. Each has 15 seconds.\n\n",
      here ? "Fashion-MNIST"
           : "synthetic images (Fashion-MNIST is not installed: doc2s data get fashion-mnist)");
  RunOptions options;
  options.directory = out.empty() ? make_numbered_folder("runs/demo") : out;
  const int code = print_comparison(compare(configs, options, carry_out_each(/*quiet=*/false)), options);
  if (code == 0) {
    write_page(read_runs({options.directory}), options.directory + "/report.html", "DOC2S and ME-DOL");
    fmt::print(
        "The same again, with your changes: doc2s run {}/DOC2S/config.toml --set network.graph=torus\n",
        options.directory);
  }
  return code;
}

}  // namespace

void add_demo(CLI::App& program, Action& action) {
  auto out = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("demo", "run DOC2S on a small embedded example");
  command->footer("Example:\n  doc2s demo");
  command->add_option("--out", *out, "directory to write into; default: a new one under runs/")
      ->type_name("DIR");
  command->callback([=, &action] { action = [=] { return demo_command(*out); }; });
}

}  // namespace doc2s::app
