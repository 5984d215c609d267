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

}  // namespace

int demo_command(const std::string& out) {
  const bool here = find_set(*data_set_named(images)).complete;
  const std::vector<Config> configs =
      parse_configs(demo_config, "demo", {{"problem.data", here ? images : "synthetic", "demo"}});
  fmt::print(
      "A network of ReLUs on {}, dealt to 16 clients in a ring, no server: DOC2S, where one client\n"
      "computes in an iteration, against ME-DOL, where all do. Each has 15 seconds.\n\n",
      here ? "Fashion-MNIST" : "synthetic images (Fashion-MNIST is not here: doc2s data get fashion-mnist)");
  RunOptions options;
  options.directory = out.empty() ? make_numbered_folder("runs/demo") : out;
  const int code = compare(configs, options, /*quiet=*/false);
  if (code == 0) {
    ReportWords page;
    page.directories = {options.directory};
    page.out = options.directory + "/report.html";
    page.title = "DOC2S and ME-DOL";
    report_command(page);
    fmt::print(
        "The same again, with your changes: doc2s run {}/DOC2S/config.toml --set network.graph=torus\n",
        options.directory);
  }
  return code;
}

}  // namespace doc2s::app
