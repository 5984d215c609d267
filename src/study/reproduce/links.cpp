// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "run/run_directory.hpp"
#include "tasks.hpp"

namespace doc2s {

namespace {

using Words = std::vector<std::string>;

struct LinksLine {
  const char* label;
  Words changes;
};

// Step sizes as `reproduce travel` found them at equal samples on clients that are alike and a network that
// stays, in two digits. They are not tuned again where links fail.
struct LinksTask {
  const char* name;  // one of tasks()
  double samples;
  std::vector<LinksLine> lines;
  Words changes{};
};

const std::vector<LinksTask>& links_tasks() {
  static const std::vector<LinksTask> all = {
      {"a9a",
       32e3,
       {{"DOC²S, R = 8", {"method.name=doc2s", "method.R=8", "method.eta=0.026", "method.D=0.0019"}},
        {"doc2s-travel", {"method.name=doc2s-travel", "method.eta=0.9", "method.D=0.011"}},
        {"token", {"method.name=token", "method.eta=0.0029", "method.beta=0.56"}},
        {"ME-DOL", {"method.name=me-dol", "method.eta=0.084", "method.D=0.068"}},
        {"DSGD", {"method.name=dsgd", "method.eta=0.035"}},
        {"gradient tracking", {"method.name=dgfm", "method.eta=0.035"}}},
       {"problem.evaluation=2048"}},
      {"mnist",
       32e3,
       {{"DOC²S, R = 8", {"method.name=doc2s", "method.R=8", "method.eta=0.19", "method.D=0.034"}},
        {"doc2s-travel", {"method.name=doc2s-travel", "method.eta=0.084", "method.D=0.068"}},
        {"token", {"method.name=token", "method.eta=0.1", "method.beta=0.87"}},
        {"ME-DOL", {"method.name=me-dol", "method.eta=0.029", "method.D=0.22"}},
        {"DSGD", {"method.name=dsgd", "method.eta=0.93"}},
        {"gradient tracking", {"method.name=dgfm", "method.eta=1.2"}}},
       {"problem.hidden=64", "problem.evaluation=256", "problem.test_images=1000"}},
  };
  return all;
}

constexpr const char* losses[] = {"0", "0.1", "0.3", "0.5"};

Line links_line(const LinksLine& one, const char* loss, const Changes& common) {
  Line line{fmt::format("{}, loss {}", one.label, loss), folder_name(fmt::format("{}-{}", one.label, loss)),
            common};
  append(line.changes, changes_from(one.changes));
  append(line.changes, changes_from({"network.change=links", fmt::format("network.loss={}", loss)}));
  return line;
}

Study links_study(const LinksTask& links, const SampleSplit& split, Scale scale) {
  const Task& task = *std::ranges::find(tasks(), std::string(links.name), &Task::name);
  Study study = study_on(
      task, fmt::format("links-{}-{}", links.name, split.name),
      fmt::format("Links that fail, first order, {}, samples dealt {}", task.title, split.title), scale);
  study.records = std::min<Index>(study.records, 20);
  study.of_paper = false;
  Changes common = changes_from(scale == Scale::smoke ? task.smoke.changes : links.changes);
  append(common, changes_from(split.changes));
  common.push_back(change_from("method.order=first"));
  for (const LinksLine& one : links.lines)
    for (const char* loss : losses) study.lines.push_back(links_line(one, loss, common));
  study.views.push_back({.figure = study.name,
                         .axis = "samples",
                         .measure = "loss_mean_point",
                         .budget = scale == Scale::smoke ? task.smoke.samples : links.samples,
                         .also = {"loss_worst"},
                         .drawn = false});
  return study;
}

}  // namespace

std::vector<Study> links_studies(Scale scale) {
  std::vector<Study> all;
  for (const LinksTask& task : links_tasks())
    for (const SampleSplit& split : splits())
      if (split.name != "dirichlet") all.push_back(links_study(task, split, scale));
  return all;
}

}  // namespace doc2s
