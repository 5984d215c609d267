// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>

#include "answers.hpp"
#include "aside.hpp"
#include "base/json.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/network/network.hpp"
#include "doc2s/run/configs.hpp"
#include "flags.hpp"
#include "network/change.hpp"
#include "network/gossip_memory.hpp"
#include "progress.hpp"
#include "run/setting.hpp"

namespace doc2s::app {

namespace {

struct NetworkArgs : NetworkQuestion {
  bool json = false, quiet = false;
};

struct Figures {
  const Network& network;
  Rounds rounds;
  double contraction, reach;  // the first is NaN where the network changes
  int diameter;
  std::optional<GossipMemory> memory;
};

std::string gossip_of(const Network& network, const NetworkQuestion& asked) {
  if (network.change && !asked.gossip.empty() && asked.gossip != "plain")
    throw Error("Chebyshev's gossip needs a P that stays, and the network changes",
                "--gossip " + asked.gossip, "take plain, or leave it out");
  if (!asked.gossip.empty()) return asked.gossip;
  return network.change ? "plain" : "chebyshev";
}

std::string as_json(const Figures& f) {
  JsonObject object;
  object.add("clients", f.network.clients())
      .add("edges", f.network.graph.edges())
      .add("gamma", f.network.spectrum.gamma())
      .add("lambda2", f.network.spectrum.lambda2())
      .add("lambda_min", f.network.spectrum.lambda_min())
      .add("rounds", f.rounds.count)
      .add_raw("phi", f.rounds.interval ? "null" : json(f.rounds.phi))
      .add("contraction", f.contraction)
      .add("reach", f.reach)
      .add("diameter", f.diameter);
  add_memory(object, f.memory);
  if (f.network.change) add_change_figures(object, *f.network.change);
  return object.line();
}

void print_figure(const char* name, const std::string& figure, const std::string& meaning) {
  fmt::print("{:<12} {:>10}   {}\n", name, figure, meaning);
}

std::string four_digits(double x) { return fmt::format("{:.4f}", x); }

void print_change(const NetworkChange& change) {
  const auto& figures = change.figures();
  if (!figures)
    return print_figure("expected", "", "contraction: takes too long for so many clients and edges");
  if (figures->contraction)
    print_figure("expected", four_digits(*figures->contraction),
                 fmt::format("what a round leaves of a disagreement: sqrt(lambda2(E[P'P])), from {} draws",
                             figures->draws));
  else
    print_figure("expected", "-", "contraction: only for rounds that are independent of each other");
  print_figure("connected", four_digits(figures->connected),
               "share of the rounds in which what is up connects all clients");
}

void print_figures(const Figures& f) {
  print_figure("clients", fmt::format("{}", f.network.clients()), "n");
  print_figure("edges", fmt::format("{}", f.network.graph.edges()), "each is used both ways in a round");
  print_figure("diameter", fmt::format("{}", f.diameter), "hops between the clients that are farthest apart");
  print_figure("gamma", four_digits(f.network.spectrum.gamma()), "spectral gap 1 - lambda2");
  print_figure("lambda2", four_digits(f.network.spectrum.lambda2()), "second largest eigenvalue of P");
  print_figure("lambda_min", four_digits(f.network.spectrum.lambda_min()), "smallest eigenvalue of P");
  print_figure("rounds", fmt::format("{}", f.rounds.count), "R");
  if (!f.network.change)
    print_figure("contraction", four_digits(f.contraction),
                 "rho_R: what R rounds leave of any disagreement, at most");
  print_figure("reach", four_digits(f.reach), "share of the clients that R rounds reach");
  if (f.memory) {
    print_figure(
        "memory", four_digits(f.memory->memory),
        "mean square of the step that the next client holds, over that of the step made; 1 is perfect");
    print_figure("least c", four_digits(f.memory->least_c),
                 "the least c of all pairs: a client gets c times a step that another, or itself, sends");
  }
  if (f.network.change) print_change(*f.network.change);
}

Figures figures_of(const Network& network, const NetworkQuestion& asked) {
  const Rounds rounds = network.rounds(gossip_of(network, asked), asked.rounds);
  const double contraction =
      network.change ? std::numeric_limits<double>::quiet_NaN() : network.spectrum.contraction(rounds);
  return {network,
          rounds,
          contraction,
          network.graph.reach(rounds.count),
          network.graph.diameter(),
          gossip_memory(network, rounds)};
}

int network_command(const NetworkArgs& args) {
  const Config config = default_config(args.changes);
  const Network network = shown_work("making the network", args.quiet, [&] { return make_network(config); });
  const Figures figures =
      shown_work("computing reach and diameter", args.quiet, [&] { return figures_of(network, args); });
  if (args.json)
    fmt::print("{}\n", as_json(figures));
  else
    print_figures(figures);
  for (const auto& notice : config.notices) aside("doc2s: note: {}\n", notice);
  try {
    network.accepted_rounds(gossip_of(network, args), args.rounds, "");
  } catch (const Error& error) {
    aside("doc2s: a run with these rounds is refused: {}\n", error.what());
  }
  return 0;
}

}  // namespace

std::string network_answer(const NetworkQuestion& asked) {
  const Network network = make_network(default_config(asked.changes));
  return as_json(figures_of(network, asked));
}

void add_network(CLI::App& program, Action& action) {
  auto args = std::make_shared<NetworkArgs>();
  CLI::App* command =
      program.add_subcommand("network", "show a network's spectral gap, contraction and reach");
  command->footer("Example:\n  doc2s network --graph ring --clients 16 --neighbours 3 --rounds 2");
  add_network_options(command, args->changes);
  command->add_option("--rounds", args->rounds, "rounds of gossip, R")
      ->type_name("R")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--gossip", args->gossip, "how rounds are combined; where the network changes, plain")
      ->check(CLI::IsMember(gossip_kinds()));
  command->add_flag("--json", args->json, "one JSON object instead of a table");
  add_quiet(command, args->quiet);
  command->callback([=, &action] { action = [=] { return network_command(*args); }; });
}

}  // namespace doc2s::app
