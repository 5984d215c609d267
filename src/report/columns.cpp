#include "recorded_run.hpp"

namespace doc2s {

const std::vector<Column>& columns() {
  using enum Column::Role;
  static const std::vector<Column> all = {
      {"iteration", "iterations", other},
      {"samples", "samples", axis},
      {"evaluations", "evaluations", other},
      {"computation_rounds", "computation rounds", axis},
      {"communication_rounds", "communication rounds", axis},
      {"bytes", "bytes sent over edges", axis},
      {"wire_bytes", "bytes on the wire", axis},
      {"messages", "messages on the wire", other},
      {"record_bytes", "bytes sent for records and outputs", other},
      {"seconds", "seconds", axis},
      {"loss_mean_point", "loss at the mean point", measure},
      {"loss_clients", "loss, mean over clients", measure},
      {"loss_worst", "loss of the worst client", measure},
      {"accuracy", "test accuracy", measure},
      {"consensus", "consensus error", measure},
      {"goldstein", "bound of the Goldstein gradient", measure, /*sparse=*/true},
      {"evaluated_on", "samples that the losses were computed on", other},
  };
  return all;
}

}  // namespace doc2s
