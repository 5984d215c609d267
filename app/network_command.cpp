#include <fmt/format.h>

#include "aside.hpp"
#include "base/json.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/network/network.hpp"

namespace doc2s::app {

namespace {

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

void print_table(const Figures& f) {
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

}  // namespace

int network_command(const NetworkWords& words) {
  const Config config = default_config(words.changes);
  const Network network = make_network(config);
  const Rounds rounds = network.rounds(words.gossip, words.rounds);
  const Figures figures{network, rounds, network.spectrum.contraction(rounds),
                        network.graph.reach(rounds.count), network.graph.diameter()};
  if (words.json)
    fmt::print("{}\n", as_json(figures));
  else
    print_table(figures);
  for (const auto& notice : config.notices) aside("doc2s: note: {}\n", notice);
  try {
    network.accepted_rounds(words.gossip, words.rounds, "");
  } catch (const Error& error) {
    aside("doc2s: a run with these rounds is refused: {}\n", error.what());
  }
  return 0;
}

}  // namespace doc2s::app
