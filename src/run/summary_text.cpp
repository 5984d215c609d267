// SPDX-License-Identifier: Apache-2.0
#include "summary_text.hpp"

#include <fmt/format.h>

#include "base/kernels.hpp"
#include "doc2s/base/version.hpp"
#include "record_json.hpp"
#include "setting.hpp"

namespace doc2s {

namespace {

// The goldstein bound, which only some records have, is of no use at an end that has none.
void add_measures(JsonObject& object, const Record& record) {
  for (const Quantity& quantity : quantities())
    if (!quantity.is_count() && !quantity.sparse) add_to(object, quantity, record[quantity.name]);
}

void add_counts(JsonObject& object, const Record& record) {
  for (const Quantity& quantity : quantities())
    if (quantity.is_count() && quantity.name != std::string_view("iteration"))
      add_to(object, quantity, record[quantity.name]);
}

std::string list_of_texts(std::vector<std::string> texts) {
  for (std::string& text : texts) text = json(text);
  return "[" + fmt::format("{}", fmt::join(texts, ", ")) + "]";
}

}  // namespace

template <class Real>
std::string summary_text(const Experiment<Real>& experiment, const Summary& summary,
                         const std::vector<Index>& held) {
  const Config& config = experiment.config;
  JsonObject best, text;
  best.add("iteration", summary.best.whole("iteration"));
  add_measures(best, summary.best);
  text.add("method", config.method.text("name"))
      .add("label", config.method.text("label"))
      .add("order", config.method.text("order"))
      .add("problem", config.problem.text("name"));
  for (const auto& [name, value] : experiment.made.facts)
    if (name == "data") text.add_raw("data", to_json(value));
  text.add("n", experiment.world.n())
      .add("d", experiment.world.d())
      .add("iterations", summary.end.whole("iteration"))
      .add("epochs", summary.epochs);
  add_counts(text, summary.end);
  add_measures(text, summary.end);
  text.add_raw("best", best.line())
      .add("loss_start", summary.loss_start)
      .add("status", to_text(summary.status))
      .add("stopped_by", summary.stopped_by)
      .add_raw("notes", list_of_texts(summary.notes))
      .add("trajectory", summary.trajectory);
  if (!summary.own_problem.empty()) text.add("own_problem", summary.own_problem);
  add_network(text, experiment.network, config.method);
  if (experiment.network.change) {
    const auto measured = experiment.peers.measured_contraction();
    text.add("change", config.network.text("change"))
        .add_raw("measured_contraction", measured ? json(*measured) : "null");
  }
  text.add("seed", config.general.integer("seed"))
      .add("precision", config.general.text("precision"))
      .add("threads", experiment.threads.count())
      .add("ranks", experiment.processes.count())
      .add_raw("held_samples", "[" + fmt::format("{}", fmt::join(held, ", ")) + "]")
      .add("version", version())
      .add("kernels", kernels_name());
  if (summary.checkpoint >= 0) text.add("checkpoint", summary.checkpoint);
  return text.lines();
}

template std::string summary_text(const Experiment<float>&, const Summary&, const std::vector<Index>&);
template std::string summary_text(const Experiment<double>&, const Summary&, const std::vector<Index>&);

}  // namespace doc2s
