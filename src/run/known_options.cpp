// SPDX-License-Identifier: Apache-2.0
#include "known_options.hpp"

#include <map>
#include <mutex>

#include "certify.hpp"
#include "doc2s/algorithms/kinds.hpp"
#include "doc2s/network/network.hpp"
#include "partition/partition.hpp"
#include "partition/sites.hpp"
#include "problems/kinds.hpp"

namespace doc2s {

namespace {

template <class Kinds>
void add_kinds(Schema& schema, const std::string& section, const std::string& selector, const Kinds& kinds,
               const std::string& lists = "") {
  for (const auto& kind : kinds)
    for (const auto& option : kind.options)
      schema.push_back({section, option, section + "." + selector, kind.name, lists});
}

void add(Schema& schema, const std::string& section, const std::vector<Option>& options) {
  for (const auto& option : options) schema.push_back({section, option});
}

// A value that counts where run.certify_every is given.
Option::Derived where_certified(Value value) {
  return [value](const Config& config) {
    return config.run.has("certify_every") ? std::optional(value) : std::nullopt;
  };
}

// Chebyshev's rounds need a P that stays.
std::optional<Value> plain_where_p_changes(const Config& config) {
  return config.network.text("change") == "none" ? std::nullopt : std::optional<Value>("plain");
}

std::optional<Value> named_files(const Config& config) {
  const Index files =
      config.problem.has("data") ? static_cast<Index>(named_sites(config.problem.text("data"))) : 0;
  return files > 0 ? std::optional<Value>(files) : std::nullopt;
}

Schema make_schema() {
  Schema schema;
  add(schema, "",
      {integer_option("seed", 1, "decides every random number of the experiment").at_least(0),
       text_option("precision", "float64", "the numbers that the method computes with")
           .one_of({"float32", "float64"})});
  add(schema, "problem",
      {text_option("name", "svm", "what is minimised").one_of(names_of(problem_kinds())),
       integer_option("batch", 1, "samples that a client draws for one estimate").at_least(1).at_most(1e9)});
  add_kinds(schema, "problem", "name", problem_kinds());
  add(schema, "clients",
      {integer_option("count", 16, "how many clients there are (n); where problem.data names files: as many")
           .at_least(1)
           .at_most(1 << 20)
           .derived_by(named_files),
       text_option("partition", "iid", "how the samples are partitioned among the clients")
           .one_of(names_of(partition_kinds()))});
  add_kinds(schema, "clients", "partition", partition_kinds());
  add(schema, "network", network_options());
  add_kinds(schema, "network", "graph", graph_kinds(), "network.graphs");
  add_kinds(schema, "network", "weights", weights_kinds());
  add(schema, "method",
      {text_option("name", "doc2s", "the method").one_of(names_of(method_kinds())),
       text_option("label", std::nullopt,
                   "how the method is called in tables and reports; default: its name, or "
                   "what its order makes of it")
           .changeable(),
       real_option("delta_prime", 1e-3,
                   "radius of the ball over which an estimate smooths; above 0 for order zeroth")
           .at_least(0),
       integer_option(
           "directions", 1,
           "two-point estimates on the same samples whose mean a zeroth-order estimate is; 1 for order first")
           .at_least(1)
           .at_most(4096)});
  add_kinds(schema, "method", "name", method_kinds());
  for (KnownOption& known : schema)
    if (known.key() == "method.gossip") known.option.derived = plain_where_p_changes;
  add(schema, "run",
      {integer_option("record_every", 100, "iterations from one record to the next").at_least(1),
       integer_option("threads", 0, "threads to use; 0: all cores. The result does not depend on it")
           .at_least(0)
           .at_most(1024),
       integer_option("certify_every", std::nullopt,
                      "records from one bound of Goldstein stationarity at the mean point to the next; none "
                      "where absent")
           .at_least(1),
       real_option("certify_delta", std::nullopt, "radius of the ball of those bounds; default: 0.1")
           .above(0)
           .at_most(1e100)
           .derived_by(where_certified(certify_defaults.delta)),
       integer_option("certify_budget", std::nullopt, "gradients that such a bound may take; default: 60")
           .at_least(1)
           .at_most(1e6)
           .derived_by(where_certified(certify_defaults.budget)),
       text_option("checkpoint_every", "60s",
                   "time (60s, 5min, 2h) or iterations (10000) from one checkpoint to the next; never: only "
                   "at Ctrl-C"),
       text_option("on_checkpoint_error", "continue",
                   "what to do if a checkpoint cannot be written: continue with the last good one, or stop")
           .one_of({"continue", "stop"}),
       flag_option("trace_of_all", false,
                   "write a trace also where the first of several processes would get gradients of clients "
                   "whose data it has not"),
       integer_option("budget.samples", std::nullopt, "stop when this many samples were drawn").at_least(1),
       integer_option("budget.iterations", std::nullopt, "stop after this many iterations").at_least(1),
       integer_option("budget.computation_rounds", std::nullopt,
                      "stop after this many iterations in which some client asked its oracle")
           .at_least(1),
       integer_option("budget.communication_rounds", std::nullopt,
                      "stop after this many rounds of communication")
           .at_least(1),
       integer_option("budget.bytes", std::nullopt,
                      "stop when the method has sent this many bytes over edges, by its definition")
           .at_least(1),
       real_option("budget.seconds", std::nullopt, "stop after this time, records not counted").above(0)});
  return schema;
}

}  // namespace

// One for each list of problems that there was; configs point into them.
const Schema& known_options() {
  static std::mutex mutex;
  static std::map<const void*, Schema> schemas;
  const std::lock_guard lock(mutex);
  const void* const kinds = &problem_kinds();
  const auto found = schemas.find(kinds);
  return found != schemas.end() ? found->second : schemas.emplace(kinds, make_schema()).first->second;
}

}  // namespace doc2s
