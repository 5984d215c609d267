// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text.hpp"
#include "kept_json.hpp"
#include "scaling.hpp"

namespace doc2s {

namespace {

constexpr const char* scaling_rule =
    "each method has the same number of trials in each cell, with the tuning seed: DOC²S with the exact R "
    "and "
    "ME-DOL over pairs of eta and D, DOC²S with R tuned over the first of these pairs with every R of 1, 2, "
    "4, "
    "8 that contracts and is below the exact R, and the exact R. Chosen is the trial with the least count of "
    "chosen_by until the goal; where none came to the goal, the one with the least bound. The earlier wins a "
    "tie. It is then run with the seeds shown";

constexpr const char* scaling_goal =
    "the first record where the certified bound of the Goldstein gradient at the mean of the clients' "
    "iterates, over the ball of radius delta, is at most epsilon. A run that has no such record by "
    "budget_samples is censored: its counts are those at its end";

std::string plan_text(const PlanRequest& request) {
  return JsonObject()
      .add("delta", request.delta)
      .add("epsilon", request.epsilon)
      .add("lipschitz", request.lipschitz)
      .add("gradient_bound", request.gradient_bound)
      .add("gap", request.gap)
      .add("dimension", request.dimension)
      .add("c0", request.c0)
      .line();
}

std::string cells_text(const ScalingResults& results) {
  std::vector<std::string> objects;
  for (const auto& cell : results.cells)
    objects.push_back(
        JsonObject()
            .add("graph", cell.graph)
            .add("clients", cell.clients)
            .add("gamma", cell.gamma)
            .add("contraction_needed", cell.contraction)
            .add("exact_R", cell.exact_R)
            .add("theorem_R", cell.theorem_R)
            .add_raw("tried_R", json_row(std::vector<double>(cell.tried_R.begin(), cell.tried_R.end())))
            .line());
  return json_list(objects);
}

std::string run_text(const ScalingRun& run) {
  JsonObject object;
  object.add("seed", run.seed).add("censored", run.reached.censored);
  for (std::size_t k = 0; k < scaling_counts.size(); ++k)
    object.add(scaling_counts[k], static_cast<std::int64_t>(run.reached.counts[k]));
  object.add("least_bound", run.reached.least_bound);
  return object.add("trajectory", run.trajectory).add("folder", run.folder).line();
}

// What each trial took of the count that the setting is chosen by; null: censored.
std::string trials_text(const ScalingLine& line) {
  JsonObject object;
  for (const auto& [setting, reached] : line.trials)
    object.add_raw(name_of(setting),
                   reached.censored ? "null" : json(reached.counts[line.method->chosen_by]));
  return object.line();
}

std::string lines_text(const ScalingResults& results) {
  std::vector<std::string> objects;
  for (const auto& line : results.lines) {
    std::vector<std::string> runs;
    for (const auto& run : line.runs) runs.push_back(run_text(run));
    objects.push_back(JsonObject()
                          .add("method", line.method->label)
                          .add("chosen_by", scaling_counts[line.method->chosen_by])
                          .add("graph", line.cell->graph)
                          .add("clients", line.cell->clients)
                          .add("gamma", line.cell->gamma)
                          .add("setting", name_of(line.setting))
                          .add_raw("trials", trials_text(line))
                          .add_raw("runs", "[\n      " + joined(runs, ",\n      ") + "]")
                          .line());
  }
  return json_list(objects);
}

void add_slope(JsonObject& object, const std::string& name, const ScalingSlope& slope, std::size_t k) {
  object.add_raw(name, slope.fit ? json(slope.fit->coefficients[k]) : "null");
  object.add_raw(name + "_error", slope.fit ? json(slope.fit->errors[k]) : "null");
}

std::string slopes_text(const ScalingResults& results) {
  std::vector<std::string> objects;
  for (const auto& slope : results.slopes) {
    JsonObject object;
    object.add("method", slope.method->label).add("count", scaling_counts[slope.count]);
    object.add("over", slope.complete ? "complete graphs" : "rings and tori");
    object.add("points", slope.points).add("censored", slope.censored);
    add_slope(object, "n", slope, 1);
    object.add("table_n", slope.method->n_exponents[slope.count]);
    if (!slope.complete) {
      add_slope(object, "gamma", slope, 2);
      object.add("table_gamma", slope.method->gamma_exponents[slope.count]);
    }
    objects.push_back(object.line());
  }
  return json_list(objects);
}

std::string whole_number(double number) {
  std::string text = fmt::format("{:.0f}", number);
  for (int place = static_cast<int>(text.size()) - 3; place > 0; place -= 3)
    text.insert(static_cast<std::size_t>(place), ",");
  return text;
}

std::vector<std::string> row_of_line(const ScalingResults& results, const ScalingLine& line) {
  std::vector<std::string> row = {line.method->label, line.cell->graph, std::to_string(line.cell->clients),
                                  fmt::format("{:.4f}", line.cell->gamma), name_of(line.setting)};
  int came = 0;
  for (const auto& run : line.runs) came += run.reached.censored ? 0 : 1;
  row.push_back(fmt::format("{} of {}", came, line.runs.size()));
  for (std::size_t k = 0; k < scaling_counts.size(); ++k) {
    const auto median = median_count(line, k);
    row.push_back(median ? whole_number(*median) : k == 0 ? "> " + whole_number(results.size.samples) : "-");
  }
  return row;
}

std::string slope_words(const ScalingSlope& slope, std::size_t k) {
  if (!slope.fit) return "-";
  return fmt::format("{:.2f} ± {:.2f}", slope.fit->coefficients[k], slope.fit->errors[k]);
}

std::vector<std::string> row_of_slope(const ScalingSlope& slope) {
  const double gamma = slope.method->gamma_exponents[slope.count];
  return {slope.method->label,
          scaling_counts[slope.count],
          slope.complete ? "complete" : "rings, tori",
          fmt::format("{} ({} censored)", slope.points, slope.censored),
          slope_words(slope, 1),
          fmt::format("{:g}", slope.method->n_exponents[slope.count]),
          slope.complete ? "" : slope_words(slope, 2),
          slope.complete ? "" : fmt::format("{:g}", gamma)};
}

}  // namespace

std::string scaling_json(Scale scale, const ScalingResults& results) {
  const ScalingSize& size = results.size;
  JsonObject object = kept_json("scaling", results.title, scale);
  object.add("tuning_seed", tuning_seed).add("rule", scaling_rule).add("goal", scaling_goal);
  object.add("delta", size.delta).add("epsilon", size.epsilon).add("gradients", size.gradients);
  object.add("budget_samples", size.samples).add("resolution_samples", size.resolution);
  object.add("trials", static_cast<std::int64_t>(size.trials));
  object.add_raw("plan", plan_text(results.request)).add_raw("cells", cells_text(results));
  object.add_raw("lines", lines_text(results)).add_raw("slopes", slopes_text(results));
  return object.lines() + "\n";
}

std::vector<PlainTable> scaling_tables(const ScalingResults& results) {
  const ScalingSize& size = results.size;
  PlainTable counts{
      fmt::format(
          "scaling: {}\nmedian over {} seeds until the bound over the ball of radius {} is at most {}; "
          "looked at every {} samples, or every iteration where that has more; {} trials each",
          results.title, shown_seeds().size(), size.delta, size.epsilon, size.resolution, size.trials),
      {{"", "graph", "n", "gamma", "setting", "reached", "samples", "computation", "communication"}}};
  for (const auto& line : results.lines) counts.rows.push_back(row_of_line(results, line));
  PlainTable slopes{
      "exponents by least squares over the runs that came to the goal, ± standard error; Table 1's beside "
      "them",
      {{"", "count", "graphs", "runs", "of n", "Table 1", "of gamma", "Table 1"}}};
  for (const auto& slope : results.slopes) slopes.rows.push_back(row_of_slope(slope));
  return {std::move(counts), std::move(slopes)};
}

}  // namespace doc2s
