// SPDX-License-Identifier: Apache-2.0
#include "travel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "kept_json.hpp"
#include "problems/kinds.hpp"
#include "report/metrics_file.hpp"
#include "run_figures.hpp"
#include "study/own_folder.hpp"
#include "study/tune/tune.hpp"
#include "tasks.hpp"

namespace doc2s {

namespace {

// What runs may use on each axis. A vector is d numbers: a round of gossip on the ring of 16 sends 32 of
// them, a traveller's hop 2.
struct TravelSize {
  Index samples, computation_rounds, communication_rounds, vectors;
  int trials;
  std::vector<std::string> changes{};
};

struct TravelTask {
  const char* name;  // one of tasks()
  double goal;       // a loss: what was sent until it was reached is told
  TravelSize smoke, page;
};

const std::vector<TravelTask>& travel_tasks() {
  const std::vector<std::string> small_mlp = {"problem.hidden=64", "problem.evaluation=256",
                                              "problem.test_images=1000"};
  const TravelSize smoke_svm = {96, 24, 48, 512, 2, {"problem.data=synthetic", "problem.size=3200"}};
  const TravelSize smoke_mlp = {
      384, 8, 16, 256, 2, {"problem.data=synthetic", "problem.hidden=8", "problem.evaluation=64"}};
  const TravelSize mlp = {64'000, 500, 1'000, 3'200, 16, small_mlp};
  static const std::vector<TravelTask> all = {
      {"a9a", 0.4, smoke_svm, {64'000, 4'000, 8'000, 16'000, 16, {"problem.evaluation=8192"}}},
      {"rcv1", 0.3, smoke_svm, {3'200, 400, 800, 3'200, 16, {"problem.evaluation=2048"}}},
      {"mnist", 0.3, smoke_mlp, mlp},
      {"fashion-mnist", 0.6, smoke_mlp, mlp},
  };
  return all;
}

struct TravelLine {
  const char* label;
  std::vector<std::string> changes;
  bool drawn = false;  // one line a method
  bool sends = true;
};

std::vector<TravelLine> travel_lines(const std::string& order) {
  constexpr bool drawn = true;
  std::vector<TravelLine> lines = {
      {"DOC²S", {"method.name=doc2s"}, drawn},
      {"doc2s-travel", {"method.name=doc2s-travel"}, drawn},
      {"doc2s-travel, tour", {"method.name=doc2s-travel", "method.route=tour"}},
      {"token, uniform", {"method.name=token", "method.route=uniform"}},
      {"token", {"method.name=token"}, drawn},
      {"token, 16 travellers", {"method.name=token", "method.travellers=16", "method.T=32"}},
      {"ME-DOL", {"method.name=me-dol"}, drawn},
      {"DSGD", {"method.name=dsgd"}, drawn},
      {"DSGD, momentum", {"method.name=dsgd", "method.momentum=0.9"}},
      {"DSGD, 4 local steps", {"method.name=dsgd", "method.local_steps=4"}},
      {"DSGD, momentum, 4 local steps", {"method.name=dsgd", "method.momentum=0.9", "method.local_steps=4"}},
      {"each client alone", {"method.name=dsgd", "method.local_steps=0"}, !drawn, /*sends=*/false},
      {order == "first" ? "gradient tracking" : "DGFM", {"method.name=dgfm"}, drawn},
  };
  if (order == "zeroth") lines.push_back({"DGFM⁺", {"method.name=dgfm-plus"}});
  return lines;
}

// Of gossip at a time, that DOC²S is tuned up to: 32 rows over every edge an iteration.
constexpr double most_rounds = 16;

struct TravelAxis {
  const char* name;
  bool of_sending;
};
constexpr TravelAxis travel_axes[] = {
    {"samples", false}, {"computation_rounds", false}, {"communication_rounds", true}, {"bytes", true}};

// Bytes of the first record with a loss of at most the goal; NaN where there is none.
double bytes_until(const std::string& directory, double goal) {
  double bytes = std::numeric_limits<double>::quiet_NaN();
  for_each_record(directory + "/metrics.jsonl", [&](Index, const Record& record) {
    if (std::isnan(bytes) && record["loss_mean_point"] <= goal) bytes = record["bytes"];
  });
  return bytes;
}

// One task, split and order: every line tuned on every axis, the best run with three seeds.
class TravelStudy {
 public:
  TravelStudy(const TravelTask& task, const SampleSplit& split, const std::string& order)
      : task_(task), split_(split), order_(order) {}

  std::string name() const { return fmt::format("travel-{}-{}-{}", order_, task_.name, split_.name); }
  std::string title() const {
    return fmt::format("State that travels, {} order, {}, samples dealt {}", order_, base().title,
                       split_.title);
  }

  std::optional<Measured> carry_out(Scale scale, const std::string& folder, const Carrying& carrying) const {
    std::vector<std::string> shown, views;
    Measured measured;
    for (const TravelAxis& axis : travel_axes) {
      TuneRequest request = request_on(axis, scale, folder);
      const auto tuned =
          tune(request, {carrying.jobs, carrying.stop, carrying.on_progress, carrying.on_progress});
      if (!tuned) return std::nullopt;
      views.push_back(JsonObject().add("axis", axis.name).add("budget", request.budget.amount).line());
      for (const TunedMethod& method : tuned->methods)
        shown.push_back(shown_json(method, axis, scale, request));
      measured.tables.push_back(table_of(axis, request, *tuned));
      if (axis.name == std::string("bytes"))
        measured.figures.push_back({axis.name, "loss_mean_point", drawn_directories(*tuned),
                                    static_cast<double>(request.budget.amount)});
      measured.runs += tuned->methods.size() * (request.trials + 2);
      for (const TunedMethod& method : tuned->methods) drop_large_files_of(method);
    }
    JsonObject object = kept_json(name(), title(), scale);
    object.add("config", std::string(task_.name) + ".toml").add("trials", size(scale).trials);
    object.add("goal", task_.goal);
    object.add_raw("views", json_list(views)).add_raw("shown", json_list(shown));
    measured.json = object.lines() + "\n";
    return measured;
  }

 private:
  const Task& base() const { return *std::ranges::find(tasks(), std::string(task_.name), &Task::name); }
  const TravelSize& size(Scale scale) const { return scale == Scale::smoke ? task_.smoke : task_.page; }

  Changes changes_of(const TravelLine& line, Scale scale) const {
    Changes changes = changes_from(size(scale).changes);
    append(changes, changes_from(split_.changes));
    append(changes, changes_from(line.changes));
    changes.push_back(change_from("method.order=" + order_));
    if (order_ == "zeroth") changes.push_back(change_from("method.delta_prime=0.01"));
    return changes;
  }

  TravelLine line_named(const std::string& label) const {
    const auto lines = travel_lines(order_);
    return *std::ranges::find(lines, label, [](const TravelLine& line) { return std::string(line.label); });
  }

  TuneRequest request_on(const TravelAxis& axis, Scale scale, const std::string& folder) const {
    std::vector<Config> configs;
    for (const TravelLine& line : travel_lines(order_)) {
      if (axis.of_sending && !line.sends) continue;
      Changes changes = changes_of(line, scale);
      changes.push_back({"method.label", fmt::format("\"{}\"", line.label), "reproduce"});
      configs.push_back(parse_configs(base().config, name(), changes).front());
    }
    const Index amount = amount_of(axis, scale, configs.front());
    return {.configs = std::move(configs),
            .over = {{"method.R", 1, most_rounds, "reproduce"}},
            .budget = {axis.name, amount},
            .by = &quantities()[position_of("loss_mean_point")],
            .trials = size(scale).trials,
            .ranges = Ranges::of_first_order,
            .root = folder + "/" + axis.name,
            .trial_seed_shift = 0};
  }

  Index amount_of(const TravelAxis& axis, Scale scale, const Config& config) const {
    const TravelSize& here = size(scale);
    if (axis.name == std::string("samples")) return here.samples;
    if (axis.name == std::string("computation_rounds")) return here.computation_rounds;
    if (axis.name == std::string("communication_rounds")) return here.communication_rounds;
    return here.vectors * vector_bytes(config);
  }

  static Index vector_bytes(const Config& config) {
    Processes alone;
    const ClientRange all{0, static_cast<int>(config.clients.integer("count"))};
    const Index bytes = config.general.text("precision") == "float32" ? 4 : 8;
    return bytes * make_problem<float>(config, all, alone).problem->dimension();
  }

  // As the kept studies have it, so that the same tables and replays serve.
  std::string shown_json(const TunedMethod& method, const TravelAxis& axis, Scale scale,
                         const TuneRequest& request) const {
    const std::vector<RunEnd> ends = ends_of(method);
    std::vector<std::string> hashes;
    for (const RunEnd& end : ends) hashes.push_back(end.trajectory);
    JsonObject counts;
    for (const auto& [count, value] : ends.front().counts) counts.add(count, value);
    std::vector<double> until;
    for (const SeedRun& one : method.seeds) until.push_back(bytes_until(one.directory, task_.goal));
    return JsonObject()
        .add("axis", axis.name)
        .add("measure", "loss_mean_point")
        .add("line", method.label)
        .add("setting", setting_text(method))
        .add_raw("at_edge", json_row(at_edge(method)))
        .add_raw("by_seed", by_seed_json(method, axis, ends))
        .add_raw("bytes_until_goal", json_row(until))
        .add_raw("counts", counts.line())
        .add("spent", method.spent)
        .add_raw("trajectories", json_row(hashes))
        .add_raw("set", json_row(arguments_of(method, axis, scale, request)))
        .line();
  }

  static std::vector<RunEnd> ends_of(const TunedMethod& method) {
    std::vector<RunEnd> ends;
    for (const SeedRun& one : method.seeds) ends.push_back(end_of({"", method.config, one.directory}));
    return ends;
  }

  // Means over the last tenth, one a seed; NaN where the run diverged.
  static std::string by_seed_json(const TunedMethod& method, const TravelAxis& axis,
                                  const std::vector<RunEnd>& ends) {
    JsonObject object;
    for (const char* measure : {"loss_mean_point", "loss_worst", "accuracy"}) {
      std::vector<double> figures;
      for (std::size_t k = 0; k < ends.size(); ++k) {
        const SeedRun& one = method.seeds[k];
        figures.push_back(std::isnan(one.score)
                              ? one.score
                              : last_tenth(one.directory, axis.name, measure, ends[k].counts.at(axis.name)));
      }
      object.add_raw(measure, json_row(figures));
    }
    return object.line();
  }

  // "eta=0.01,D=0.05"
  static std::string setting_text(const TunedMethod& method) {
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < method.ranges.size(); ++k)
      parts.push_back(method.ranges[k].name + "=" + to_toml(method.values()[k]));
    return joined(parts, ",");
  }

  static std::vector<std::string> at_edge(const TunedMethod& method) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < method.ranges.size(); ++k)
      if (!edge_of(method.ranges[k], method.values()[k]).empty()) names.push_back(method.ranges[k].name);
    return names;
  }

  // --set arguments for `doc2s run configs/reproduce/CONFIG`, without the seed.
  std::vector<std::string> arguments_of(const TunedMethod& method, const TravelAxis& axis, Scale scale,
                                        const TuneRequest& request) const {
    std::vector<std::string> arguments;
    for (const auto& [key, value, where] : changes_of(line_named(method.label), scale))
      arguments.push_back(key + "=" + value);
    for (std::size_t k = 0; k < method.ranges.size(); ++k)
      arguments.push_back(method.ranges[k].key() + "=" + to_toml(method.values()[k]));
    arguments.insert(arguments.end(), {"method.K=1000000", "method.iterations=1000000000",
                                       fmt::format("run.budget.{}={}", axis.name, request.budget.amount)});
    return arguments;
  }

  PlainTable table_of(const TravelAxis& axis, const TuneRequest& request, const Tuned& tuned) const {
    PlainTable table{fmt::format("{}: loss at {} {}", name(), request.budget.amount, axis.name),
                     {{"", "setting", "mean", "lowest", "highest"}}};
    for (const TunedMethod& method : tuned.methods)
      table.rows.push_back({method.label, setting_text(method), fmt::format("{:.4f}", method.score.mean),
                            fmt::format("{:.4f}", method.score.lowest),
                            fmt::format("{:.4f}", method.score.highest)});
    return table;
  }

  std::vector<std::string> drawn_directories(const Tuned& tuned) const {
    std::vector<std::string> directories;
    for (const TunedMethod& method : tuned.methods)
      if (line_named(method.label).drawn)
        for (const SeedRun& one : method.seeds) directories.push_back(one.directory);
    return directories;
  }

  static void drop_large_files_of(const TunedMethod& method) {
    for (const Trial& trial : method.trials) drop_large_files(trial.directory, /*keep_outputs=*/false);
    for (const SeedRun& one : method.seeds) drop_large_files(one.directory, /*keep_outputs=*/false);
  }

  const TravelTask& task_;
  const SampleSplit& split_;
  const std::string order_;
};

}  // namespace

std::vector<Measurement> travel_measurements() {
  std::vector<Measurement> all;
  for (const char* order : {"first", "zeroth"})
    for (const TravelTask& task : travel_tasks())
      for (const SampleSplit& split : splits()) {
        if (split.name == "dirichlet") continue;
        const TravelStudy study(task, split, order);
        all.push_back(
            {.name = study.name(),
             .paper = "beyond it",
             .title = study.title(),
             .of_paper = false,
             .carry_out = [study](Scale scale, const std::string& folder, const Carrying& carrying) {
               return study.carry_out(scale, folder, carrying);
             }});
      }
  return all;
}

}  // namespace doc2s
