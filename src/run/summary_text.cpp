#include "summary_text.hpp"

#include <fmt/format.h>

#include "doc2s/base/version.hpp"
#include "setting.hpp"

namespace doc2s {

template <class Real>
std::string summary_text(const Experiment<Real>& experiment, const Summary& summary,
                         const std::vector<Index>& held) {
  const Config& config = experiment.config;
  JsonObject best, text;
  best.add("iteration", summary.best_iteration);
  add_to(best, summary.best);
  text.add("method", config.method.text("name"))
      .add("label", config.method.text("label"))
      .add("order", config.method.text("order"))
      .add("problem", config.problem.text("name"));
  for (const auto& [name, value] : experiment.made.facts)
    if (name == "data") text.add_raw("data", to_json(value));
  text.add("n", experiment.world.n())
      .add("d", experiment.world.d())
      .add("iterations", summary.counts.iteration)
      .add("epochs", summary.epochs);
  add_to(text, summary.counts);
  add_to(text, summary.last);
  text.add_raw("best", best.line())
      .add("loss_start", summary.first.loss_mean_point)
      .add("status", summary.status)
      .add("stopped_by", summary.stopped_by)
      .add("trajectory", summary.trajectory);
  add_network(text, experiment.network, config.method);
  text.add("seed", config.general.integer("seed"))
      .add("precision", config.general.text("precision"))
      .add("threads", experiment.threads.count())
      .add("ranks", experiment.processes.count())
      .add_raw("held_samples", "[" + fmt::format("{}", fmt::join(held, ", ")) + "]")
      .add("version", version());
  if (summary.checkpoint >= 0) text.add("checkpoint", summary.checkpoint);
  return text.lines();
}

template std::string summary_text(const Experiment<float>&, const Summary&, const std::vector<Index>&);
template std::string summary_text(const Experiment<double>&, const Summary&, const std::vector<Index>&);

}  // namespace doc2s
