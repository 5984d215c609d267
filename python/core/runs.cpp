// SPDX-License-Identifier: Apache-2.0
#include "runs.hpp"

#include <deque>
#include <optional>

#include "carrying.hpp"
#include "changes.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/solve.hpp"
#include "python_problem.hpp"
#include "results.hpp"
#include "run/ended_run.hpp"
#include "run/known_options.hpp"
#include "run/run_directory.hpp"
#include "study/compare.hpp"
#include "study/comparison.hpp"
#include "transport/join.hpp"

namespace doc2s::python {

namespace {

KeptInMemory kept_of(Result& result) {
  return {std::move(result.records), std::move(result.x), std::move(result.outputs),
          std::move(result.summary_json), std::move(result.config)};
}

template <class Real>
py::dict solved(const py::object& problem, const Options& options) {
  const PythonProblem<Real> own(problem);
  Result result = [&] {
    const py::gil_scoped_release others;
    return solve(own, options);
  }();
  return as_dict(kept_of(result), result.status, result.notes, result.rank);
}

}  // namespace

py::dict minimize(const py::object& problem, const py::list& settings, const py::object& given) {
  const Carrying carrying(given);
  Options options;
  for (const auto& [key, value, where] : settings_in(settings)) options.set_value(key, value, where);
  options.set("run.directory", carrying.out).set("run.trace", carrying.trace);
  options.set("run.resume", carrying.resume).set("run.force", carrying.force);
  options.on_record = carrying.on_record();
  options.on_progress = carrying.on_progress();
  options.stop = &carrying.interrupt.stop();
  const bool single = problem.attr("precision").cast<std::string>() == "float32";
  return single ? solved<float>(problem, options) : solved<double>(problem, options);
}

namespace {

// The runs of one config, one after the other, and what each left.
class ConfigRuns {
 public:
  explicit ConfigRuns(const Carrying& carrying) : carrying_(carrying), processes_(joined_processes()) {}

  void carry_out(const std::vector<Config>& configs, const Changes& changes) {
    if (configs.size() > 1)
      compare_methods(configs, changes);
    else
      run_one(configs.front(), options());
  }

  // Of a run that had ended before, the directory alone.
  py::list results() {
    py::list all;
    for (const std::string& directory : ended_) all.append(py::dict(py::arg("directory") = directory));
    for (auto& [directory, kept, summary, notes] : done_) {
      all.append(as_dict(std::move(kept), summary.status, notes, processes_.rank()));
      all[all.size() - 1]["directory"] = directory;
    }
    return all;
  }

  void desert() { processes_.desert(); }
  void rejoin() { processes_.rejoin(); }

 private:
  struct Done {
    std::string directory;
    KeptInMemory kept;
    Summary summary;
    std::vector<std::string> notes;
  };

  RunOptions options() {
    RunOptions options;
    options.directory = carrying_.out;
    options.trace = carrying_.trace;
    options.trace_insisted = true;
    options.force = carrying_.force;
    options.resume = carrying_.resume;
    options.on_record = carrying_.on_record();
    options.on_progress = [tell = carrying_.on_progress()](const Progress& now) {
      tell(now.record, now.share);
    };
    options.stop = &carrying_.interrupt.stop();
    options.processes = &processes_;
    return options;
  }

  bool comparison_is_there() {
    const char there = holds_a_comparison(carrying_.out) ? '\1' : '\0';
    return gathered<char>(processes_, {there}).front() == '\1';
  }

  Summary run_one(const Config& config, RunOptions options) {
    Done& done = done_.emplace_back();
    done.directory = options.directory;
    options.on_notices = [&](const auto& more) {
      done.notes.insert(done.notes.end(), more.begin(), more.end());
    };
    options.on_warning = [&](const std::string& warning) { done.notes.push_back(warning); };
    if (auto ended = ended_already(options, config, done.notes)) {
      done.kept = std::move(*ended);
      done.summary.status = status_in(done.kept.summary);
      return done.summary;
    }
    return done.summary = doc2s::run(config, options, done.kept);
  }

  void compare_methods(const std::vector<Config>& configs, const Changes& changes) {
    const RunOne each = [this](const Config& config, const RunOptions& options) {
      return run_one(config, options);
    };
    if (carrying_.out.empty()) {
      for (const Config& config : configs)
        if (run_one(config, options()).status == Status::interrupted) return;
    } else if (carrying_.resume && comparison_is_there()) {
      const Compared all = resume_comparison(changes, options(), each);
      note_ended(all);
    } else {
      RunOptions all = options();
      all.resume = false;
      compare(configs, all, each);
    }
  }

  // The runs of a comparison that were not carried out again; they come before the others.
  void note_ended(const Compared& all) {
    for (std::size_t k = 0; k + done_.size() < all.configs.size(); ++k)
      ended_.push_back(all.root + "/" + folder_name(all.configs[k].method.text("label")));
  }

  const Carrying& carrying_;
  Processes& processes_;
  std::vector<std::string> ended_;
  std::deque<Done> done_;
};

}  // namespace

py::list run(const std::string& text, const std::string& name, const std::string& folder,
             const py::list& settings, const py::object& given) {
  const Carrying carrying(given);
  const Changes changes = changes_in(settings);
  std::optional<ConfigRuns> runs;
  {
    const py::gil_scoped_release others;
    runs.emplace(carrying);
    try {
      runs->carry_out(resolved(known_options(), text, name, changes, folder), changes);
      runs->rejoin();
    } catch (...) {
      runs->desert();
      throw;
    }
  }
  return runs->results();
}

}  // namespace doc2s::python
