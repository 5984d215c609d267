// SPDX-License-Identifier: Apache-2.0
#include "doc2s/run/record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace doc2s {

// In the order of metrics.jsonl.
const std::vector<Quantity>& quantities() {
  using enum Quantity::Kind;
  using Format = Quantity::Format;
  using enum Quantity::Better;
  constexpr bool sparse = true, always = true;
  static const std::vector<Quantity> all = {
      {"iteration", count, Format::count, "iterations", "", "", "completed iterations"},
      {"samples", axis, Format::count, "samples", "samples", "{} samples",
       "draws of ξ, summed over clients; a batch of b counts b"},
      {"evaluations", count, Format::count, "evaluations", "evaluations", "{} evaluations",
       "values or gradients of a single F_i(·; ξ); a zeroth-order estimate counts 2bm, m = "
       "`method.directions`"},
      {"computation_rounds", axis, Format::count, "computation rounds", "computation rounds",
       "{} computation rounds",
       "iterations in which some client queried its oracle; parallel calls count once"},
      {"communication_rounds", axis, Format::count, "communication rounds", "communication rounds",
       "{} communication rounds",
       "multiplications by P, each one exchange of a row with all neighbours: 2R per iteration of DOC²S, "
       "2 of ME-DOL or DGFM, 2 or 1 + `rounds` of DGFM⁺; in DSGD 1 every `local_steps` iterations, or none "
       "where they are 0; where state travels, the largest number of hops of a traveller's move, and twice "
       "the "
       "depth of a breadth-first tree for an averaging"},
      {"bytes", axis, Format::bytes, "bytes sent over edges", "sent", "{} sent over edges",
       "what the method sends over the edges by definition: in each round a row over every edge, both ways; "
       "where state travels, two vectors over each hop of a traveller, and 2(n − 1) messages of one vector "
       "(doc2s-travel) or two (token) for an averaging"},
      {"output_bytes", count, Format::bytes, "bytes sent for the output", "", "",
       "what travellers spend by definition to bring the output to all clients: a third vector over their "
       "ways "
       "in epochs that are kept, and n − 1 messages down a tree at their end; in neither `bytes` nor rounds. "
       "Absent for methods that do not travel"},
      {"wire_bytes", axis, Format::bytes, "bytes on the wire", "on the wire", "",
       "what the method's steps sent to other processes; 0 in one process"},
      {"messages", count, Format::count, "messages on the wire", "", "",
       "messages that the method's steps sent to other processes; 0 in one process"},
      {"record_bytes", count, Format::bytes, "bytes sent for records and outputs", "", "",
       "additional traffic for means, records, outputs and a trace; 0 in one process"},
      {"seconds", axis, Format::seconds, "seconds", "seconds", "{} s",
       "time of the method, without the time for records"},
      {"loss_mean_point", measure, Format::loss, "loss at the mean point", "loss at mean",
       "loss {} at the mean", "f(x̄), where x̄ is the mean of the clients' iterates and f = (1/n) Σ f_i", low},
      {"loss_clients", measure, Format::loss, "loss, mean over clients", "over clients", "{} over clients",
       "the mean over i of f(x_i)", low, !sparse, always},
      {"loss_worst", measure, Format::loss, "loss of the worst client", "worst", "{} at worst",
       "the largest f(x_i)", low, !sparse, always},
      {"accuracy", measure, Format::share, "test accuracy", "accuracy", "test accuracy {}",
       "share of the test set that x̄ classifies correctly; absent without a test set", high},
      {"test_rmse", measure, Format::loss, "test error", "test error", "test error {}",
       "where targets are numbers: √(mean of (output − target)²) of x̄ over the test set, in the target's "
       "unit; "
       "else absent",
       low},
      {"validation_accuracy", measure, Format::share, "validation accuracy", "validation",
       "validation accuracy {}",
       "the share of the rows held back by `problem.validation`, of all clients together, that x̄ classifies "
       "correctly; absent without",
       high},
      {"validation_rmse", measure, Format::loss, "validation error", "validation error",
       "validation error {}",
       "where targets are numbers: the error on the rows held back by `problem.validation`", low},
      {"consensus", measure, Format::norm, "consensus error", "consensus", "consensus error {}",
       "(1/n) Σ ‖x_i − x̄‖: how far the clients are from their mean. Where state travels, x̄ is the mean of "
       "the "
       "travellers' z and x_i the z that last left client i (x0 before, the mean after an averaging)",
       low, !sparse, always},
      {"consensus_x", measure, Format::norm, "consensus error before gossip", "", "",
       "the clients' distance from the mean of what the coming iteration will mix: in DOC²S y_i, and y_i + "
       "nΔ_i for the client that it "
       "samples (line 10 of the listing); in ME-DOL y_i + Δ_i. Equal to `consensus` where an epoch ends, "
       "since the next one begins with Δ = 0; absent for DGFM, DGFM⁺ and DSGD, where it depends on estimates "
       "yet to be made, and where state travels",
       low},
      {"goldstein", measure, Format::norm, "bound of the Goldstein gradient", "", "",
       "an upper bound of ‖∇f(x̄)‖_δ, δ = `run.certify_delta`; only in every `run.certify_every`-th record",
       low, sparse},
      {"evaluated_on", note, Format::count, "samples that the losses were computed on", "", "",
       "number of samples, over all clients, for the losses: all, or a fixed random subset of size "
       "`problem.evaluation`, one sample each of that many clients where there are more; not counted in "
       "`samples`"},
  };
  return all;
}

std::size_t position_of(std::string_view quantity) {
  const auto found = std::ranges::find(quantities(), quantity, &Quantity::name);
  if (found == quantities().end())
    throw std::out_of_range("there is no quantity \"" + std::string(quantity) + "\"");
  return static_cast<std::size_t>(found - quantities().begin());
}

Record::Record() : values_(quantities().size(), std::numeric_limits<double>::quiet_NaN()) {}

Index Record::whole(std::string_view name) const {
  const double value = (*this)[name];
  return std::isnan(value) ? 0 : static_cast<Index>(value);
}

namespace {

const std::vector<std::string> status_names = {"running", "finished", "diverged", "interrupted"};

}  // namespace

const std::string& to_text(Status status) { return status_names[static_cast<std::size_t>(status)]; }

Status status_from(const std::string& text) {
  const auto found = std::ranges::find(status_names, text);
  return found == status_names.end() ? Status::running : static_cast<Status>(found - status_names.begin());
}

}  // namespace doc2s
