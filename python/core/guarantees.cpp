// SPDX-License-Identifier: Apache-2.0
#include "guarantees.hpp"

#include "base/long_work.hpp"
#include "carrying.hpp"
#include "changes.hpp"
#include "doc2s/base/error.hpp"
#include "guarantee_answer.hpp"
#include "lent.hpp"
#include "news.hpp"
#include "plan_figures.hpp"

namespace doc2s::python {

namespace {

struct Told {
  std::string answer;
  KeptInMemory kept;
  Status status;
  std::vector<std::string> notes;
};

RunOptions options_of(const Carrying& carrying, std::vector<std::string>& notes) {
  RunOptions options;
  options.directory = carrying.out;
  options.force = carrying.force;
  options.on_record = carrying.on_record();
  options.on_progress = [tell = carrying.on_progress()](const Progress& now) { tell(now.record, now.share); };
  options.on_notices = [&](const auto& more) { notes.insert(notes.end(), more.begin(), more.end()); };
  options.on_warning = [&](const std::string& warning) { notes.push_back(warning); };
  options.stop = &carrying.interrupt.stop();
  return options;
}

Told carried_out(const GuaranteeQuestion& asked, const Carrying& carrying,
                 const std::shared_ptr<const Problem<double>>& own, const News& news) {
  const Listener listener(&carrying.interrupt.stop(), news);
  const Config config = config_to_guarantee(asked);
  app::require_goal(config, "guarantee");
  const PlannedConfig plan = guarantee_plan(asked, config);
  Told told;
  const Summary run = doc2s::run(plan.config, options_of(carrying, told.notes), told.kept);
  told.status = run.status;
  std::optional<CertifyAnswer> answer;
  if (run.status == Status::finished) {
    const auto heeding = [&](const std::string& text) {
      if (carrying.interrupt.stop()) throw Interrupted("interrupted while looking for certificates");
      news(text);
    };
    answer =
        certified_outputs(plan, told.kept.outputs, app::certificate_file_in(run.directory), heeding, own);
    told.notes.insert(told.notes.end(), answer->notes.begin(), answer->notes.end());
  }
  const CertifyAnswer* const found = answer ? &*answer : nullptr;
  told.answer = app::guarantee_json(plan, told.kept, found, verdict_on(plan, run.status, found));
  return told;
}

}  // namespace

py::dict guarantee(const std::string& config, const py::list& settings, const py::object& problem,
                   const py::object& given, const py::object& going) {
  const Carrying carrying(given);
  const auto own = in_double(problem);
  const auto held = lent(problem);
  const Changes changes = changes_in(settings);
  Told told;
  {
    const py::gil_scoped_release others;
    told = carried_out(question_of_file(config, changes), carrying, own, news_to(going));
  }
  return py::dict(py::arg("answer") = told.answer,
                  py::arg("result") = as_dict(std::move(told.kept), told.status, told.notes, 0));
}

}  // namespace doc2s::python
