// SPDX-License-Identifier: Apache-2.0
#include "questions.hpp"

#include <pybind11/stl.h>

#include "answers.hpp"
#include "base/file_writer.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "changes.hpp"
#include "doc2s/base/error.hpp"
#include "interrupt.hpp"
#include "lent.hpp"
#include "news.hpp"
#include "report/report.hpp"
#include "study/tune/tune_files.hpp"
#include "study_questions.hpp"

namespace doc2s::python {

namespace py = pybind11;

namespace {

std::string spectrum(const py::list& settings, int rounds, const std::string& gossip) {
  if (rounds < 1) throw Error("there is at least one round", "rounds");
  const app::NetworkQuestion asked{changes_in(settings), rounds, gossip};
  const py::gil_scoped_release others;
  return app::network_answer(asked);
}

std::string plan(const py::list& settings, const std::string& from, const std::string& config, bool force) {
  const app::PlanQuestion asked{changes_in(settings), from, {}, config, force};
  const py::gil_scoped_release others;
  return app::plan_answer(asked);
}

void raise_if_interrupted(const Interrupt& interrupt) {
  if (!interrupt.stop()) return;
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw py::error_already_set();
}

// `problem` is None where the config's is meant. `tell` gets what is done, `going` (None: nobody) now and
// then how far it is.
std::string tune(const app::TuneQuestion& asked, const py::object& problem, const py::object& tell,
                 const py::object& going, bool takes_interrupt) {
  const auto own = lent(problem);
  const Interrupt interrupt(takes_interrupt);
  std::string answer;
  {
    const py::gil_scoped_release others;
    const TuneRequest request = app::tune_request(asked);
    const int jobs = asked.jobs > 0 ? asked.jobs : usable_cores();
    const auto tuned = doc2s::tune(request, {jobs, interrupt.stop(), news_to(tell), news_to(going)});
    if (tuned) answer = tune_json(request, *tuned);
  }
  raise_if_interrupted(interrupt);
  return answer;
}

std::string sweep(const app::SweepQuestion& asked, const py::object& problem, const py::object& tell,
                  const py::object& going, bool takes_interrupt) {
  const auto own = lent(problem);
  const Interrupt interrupt(takes_interrupt);
  std::string answer;
  {
    const py::gil_scoped_release others;
    const app::Swept swept = app::sweep(asked, interrupt.stop(), news_to(tell), news_to(going));
    answer = ranking_json(swept.settings(), swept.by);
  }
  raise_if_interrupted(interrupt);
  return answer;
}

void report(const std::vector<std::string>& directories, const std::string& path, const std::string& title,
            bool force) {
  const py::gil_scoped_release others;
  const auto runs = read_runs(directories);
  check_replaceable(path, ReportFile::page, runs, force);
  write_whole_file(path, report_page(runs, title));
}

}  // namespace

void add_questions(py::module_& module) {
  module.def("spectrum", spectrum);
  module.def("plan", plan);
  module.def("list_of", app::list_answer);
  module.def("explain", app::explain_answer);
  module.def("suggestion", suggestion);
  module.def("report", report);
  py::class_<app::TuneQuestion>(module, "TuneQuestion")
      .def(py::init<>())
      .def_readwrite("config", &app::TuneQuestion::config)
      .def_readwrite("budget", &app::TuneQuestion::budget)
      .def_readwrite("changes", &app::TuneQuestion::changes)
      .def_readwrite("over", &app::TuneQuestion::over)
      .def_readwrite("by", &app::TuneQuestion::by)
      .def_readwrite("out", &app::TuneQuestion::out)
      .def_readwrite("trials", &app::TuneQuestion::trials)
      .def_readwrite("jobs", &app::TuneQuestion::jobs);
  py::class_<app::SweepQuestion>(module, "SweepQuestion")
      .def(py::init<>())
      .def_readwrite("config", &app::SweepQuestion::config)
      .def_readwrite("changes", &app::SweepQuestion::changes)
      .def_readwrite("over", &app::SweepQuestion::over)
      .def_readwrite("out", &app::SweepQuestion::out)
      .def_readwrite("by", &app::SweepQuestion::by)
      .def_readwrite("at", &app::SweepQuestion::at)
      .def_readwrite("jobs", &app::SweepQuestion::jobs);
  module.def("tune", tune);
  module.def("sweep", sweep);
}

}  // namespace doc2s::python
