#include <fmt/format.h>

#include "aside.hpp"
#include "base/json.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/network/network.hpp"
#include "doc2s/run/configs.hpp"
#include "flags.hpp"

namespace doc2s::app {

namespace {

struct NetworkArgs {
  Changes changes;
  int rounds = 2;
  std::string gossip = "chebyshev";
  bool json = false;
};

struct Figures {
  const Network& network;
  Rounds rounds;
  double contraction, reach;
  int diameter;
};

std::string as_json(const Figures& f) {
  JsonObject object;
  object.add("clients", f.network.clients())
      .add("edges", f.network.graph.edges())
      .add("gamma", f.network.spectrum.gamma())
      .add("lambda2", f.network.spectrum.lambda2())
      .add("lambda_min", f.network.spectrum.lambda_min())
      .add("rounds", f.rounds.count)
      .add("phi", f.rounds.phi)
      .add("contraction", f.contraction)
      .add("reach", f.reach)
      .add("diameter", f.diameter);
  return object.line();
}

void print_figures(const Figures& f) {
  const auto row = [](const char* name, const std::string& figure, const char* meaning) {
    fmt::print("{:<12} {:>10}   {}\n", name, figure, meaning);
  };
  const auto number = [](double x) { return fmt::format("{:.4f}", x); };
  row("clients", fmt::format("{}", f.network.clients()), "n");
  row("edges", fmt::format("{}", f.network.graph.edges()), "each is used both ways in a round");
  row("diameter", fmt::format("{}", f.diameter), "hops between the clients that are farthest apart");
  row("gamma", number(f.network.spectrum.gamma()), "spectral gap 1 - lambda2");
  row("lambda2", number(f.network.spectrum.lambda2()), "second largest eigenvalue of P");
  row("lambda_min", number(f.network.spectrum.lambda_min()), "smallest eigenvalue of P");
  row("rounds", fmt::format("{}", f.rounds.count), "R");
  row("contraction", number(f.contraction), "rho_R: what R rounds leave of any disagreement, at most");
  row("reach", number(f.reach), "share of the clients that R rounds reach");
}

int network_command(const NetworkArgs& args) {
  const Config config = default_config(args.changes);
  const Network network = make_network(config);
  const Rounds rounds = network.rounds(args.gossip, args.rounds);
  const Figures figures{network, rounds, network.spectrum.contraction(rounds),
                        network.graph.reach(rounds.count), network.graph.diameter()};
  if (args.json)
    fmt::print("{}\n", as_json(figures));
  else
    print_figures(figures);
  for (const auto& notice : config.notices) aside("doc2s: note: {}\n", notice);
  try {
    network.accepted_rounds(args.gossip, args.rounds, "");
  } catch (const Error& error) {
    aside("doc2s: a run with these rounds is refused: {}\n", error.what());
  }
  return 0;
}

}  // namespace

void add_network(CLI::App& program, Action& action) {
  auto args = std::make_shared<NetworkArgs>();
  CLI::App* command =
      program.add_subcommand("network", "show a network's spectral gap, contraction and reach");
  command->footer("Example:\n  doc2s network --graph ring --clients 16 --neighbours 3 --rounds 2");
  add_network_options(command, args->changes);
  command->add_option("--rounds", args->rounds, "rounds of gossip, R")
      ->type_name("R")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--gossip", args->gossip, "chebyshev or plain")
      ->check(CLI::IsMember({"chebyshev", "plain"}));
  command->add_flag("--json", args->json, "one JSON object instead of a table");
  command->callback([=, &action] { action = [=] { return network_command(*args); }; });
}

}  // namespace doc2s::app
