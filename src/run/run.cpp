#include "doc2s/run/run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "budget.hpp"
#include "certify_record.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/version.hpp"
#include "doc2s/run/run_directory.hpp"
#include "meeting.hpp"
#include "setting.hpp"
#include "stopwatch.hpp"
#include "trace.hpp"

namespace doc2s {

namespace {

constexpr double seconds_between_signs = 0.1;  // of life, to whoever watches

template <class Real>
class Runner {
 public:
  Runner(const Config& config, const RunOptions& options)
      : options_(options),
        processes_(options.processes ? *options.processes : alone_),
        experiment_(config, processes_),
        certify_record_(experiment_),
        budget_(config.run, experiment_.algorithm->length()),
        record_every_(config.run.integer("record_every")),
        meeting_(processes_) {
    if (processes_.is_first()) directory_.emplace(options.directory, claim(options));
    if (!options.trace.empty()) start_trace();
    if (directory_) begin_files();
  }

  Summary run() {
    try {
      record();
      watch_.go();
      while (!ended()) step();
    } catch (const Diverged& error) {
      const bool within_a_step = begun_ > iteration_;
      if (within_a_step && processes_.count() > 1) throw;  // the others wait for what will never be sent
      summary_.status = "diverged";
      summary_.stopped_by = error.what();
    }
    watch_.halt();
    finish();
    return summary_;
  }

 private:
  static RunDirectory::Claim claim(const RunOptions& options) {
    if (options.numbered) return RunDirectory::Claim::numbered;
    return options.force ? RunDirectory::Claim::replacing : RunDirectory::Claim::unused;
  }

  void begin_files() {
    directory_->write("config.toml", written(experiment_.config));
    directory_->begin();
    if (options_.on_notices) options_.on_notices(experiment_.notices);
    directory_->write("setting.json", setting_text(experiment_) + "\n");
    metrics_.emplace(directory_->file("metrics.jsonl"));
  }

  void start_trace() {
    if (directory_) check_trace();
    trace_.emplace(options_.trace, experiment_);
  }

  void check_trace() const {
    const std::string where = "--trace " + options_.trace;
    if (directory_->is_own_file(options_.trace))
      throw Error("is a file of the run itself", where, "give another file");
    if (std::filesystem::is_directory(options_.trace)) throw Error("is a directory", where, "give a file");
    if (std::filesystem::exists(options_.trace) && !options_.force)
      throw Error("already exists", where, "give another file, or --force to replace it");
    if (!options_.trace_insisted) refuse_large_trace(experiment_, options_.trace);
  }

  bool ended() {
    if (meeting_.due(iteration_))
      meeting_.hold(iteration_, options_.stop && *options_.stop, watch_.seconds());
    if (meeting_.stop()) {
      summary_.status = "interrupted";
      summary_.stopped_by = "a signal";
    } else if (const Counts now = used(); budget_.share(now) >= 1) {
      summary_.status = "finished";
      summary_.stopped_by = budget_.nearest(now);
    }
    return !summary_.status.empty();
  }

  void step() {
    ++begun_;
    const Algorithm<Real>& method = *experiment_.algorithm;
    samples_ +=
        (method.caller(iteration_) ? 1 : experiment_.world.n()) * method.estimates(iteration_) * batch_;
    experiment_.algorithm->step(iteration_);
    ++iteration_;
    if (trace_ || iteration_ % record_every_ == 0 || watch_.seconds() > next_sign_) look_up();
  }

  // What a step leaves for others to see; its time is not the method's.
  void look_up() {
    watch_.halt();
    if (trace_) trace_->write(iteration_ - 1);
    if (iteration_ % record_every_ == 0)
      record();
    else if (watch_.seconds() > next_sign_)
      show(false);
    watch_.go();
  }

  void record() {
    const Counts now = counts();
    summary_.last = measure(experiment_);
    recorded_ = iteration_;
    JsonObject line;
    line.add("iteration", now.iteration);
    add_to(line, now);
    add_to(line, summary_.last);
    certify_record_.add_to(line);
    if (metrics_) {
      metrics_->write_line(line.line());
      metrics_->flush();
    }
    if (iteration_ == 0) summary_.first = summary_.last;
    if (iteration_ == 0 || summary_.last.loss_mean_point < summary_.best.loss_mean_point) {
      summary_.best = summary_.last;
      summary_.best_iteration = iteration_;
    }
    show(true);
    if (!std::isfinite(summary_.last.loss_mean_point) || !std::isfinite(summary_.last.loss_clients))
      throw Diverged("the loss is no longer finite", "iteration " + std::to_string(iteration_));
  }

  void show(bool fresh) {
    next_sign_ = watch_.seconds() + seconds_between_signs;
    if (options_.on_progress) options_.on_progress({used(), summary_.last, budget_.share(used()), fresh});
  }

  void finish() {
    try {
      if (recorded_ != iteration_ && summary_.status != "diverged") record();
    } catch (const Diverged& error) {
      summary_.status = "diverged";
      summary_.stopped_by = error.what();
    }
    summary_.counts = counts();
    summary_.trajectory = experiment_.trajectory();
    const Output<Real> output = experiment_.algorithm->output();
    summary_.epochs = output.epochs;
    write_points(output.points);
    const std::vector<Index> held = gathered<Index>(processes_, {experiment_.problem().held_samples()});
    if (!directory_) return;
    summary_.directory = directory_->path();
    directory_->write("last.npy", [&](std::FILE* file) { put_npy(file, output.last); });
    directory_->write("summary.json", summary_text(held) + "\n");
  }

  // The first process writes them one by one, as it gets them from the others.
  void write_points(const Rows<Real>& points) {
    std::vector<Real> room;
    const auto row = [&](int client) { return experiment_.transport->bring(points, client, room); };
    if (directory_)
      directory_->write("output.npy", [&](std::FILE* file) {
        put_npy<Real>(file, experiment_.world.n(), experiment_.world.d(), row);
      });
    else
      for (int i = 0; i < experiment_.world.n(); ++i) row(i);
  }

  // What every process knows without asking the others: all that budgets go by.
  Counts used() const {
    const Traffic& traffic = experiment_.peers.traffic();
    return {.iteration = iteration_,
            .samples = samples_,
            .computation_rounds = begun_,
            .communication_rounds = traffic.rounds,
            .bytes = traffic.bytes,
            .seconds = processes_.count() == 1 ? watch_.seconds() : meeting_.seconds()};
  }

  Counts counts() const {
    Counts now = count(experiment_, iteration_, watch_.seconds());
    now.computation_rounds = begun_;
    return now;
  }

  std::string summary_text(const std::vector<Index>& held) const {
    const Config& config = experiment_.config;
    JsonObject best, text;
    best.add("iteration", summary_.best_iteration);
    add_to(best, summary_.best);
    text.add("method", config.method.text("name"))
        .add("label", config.method.text("label"))
        .add("order", config.method.text("order"))
        .add("problem", config.problem.text("name"));
    for (const auto& [name, value] : experiment_.made.facts)
      if (name == "data") text.add_raw("data", json(value));
    text.add("n", experiment_.world.n())
        .add("d", experiment_.world.d())
        .add("iterations", summary_.counts.iteration)
        .add("epochs", summary_.epochs);
    add_to(text, summary_.counts);
    add_to(text, summary_.last);
    text.add_raw("best", best.line())
        .add("loss_start", summary_.first.loss_mean_point)
        .add("status", summary_.status)
        .add("stopped_by", summary_.stopped_by)
        .add("trajectory", summary_.trajectory);
    add_network(text, experiment_.network, config.method);
    text.add("seed", config.general.integer("seed"))
        .add("precision", config.general.text("precision"))
        .add("threads", experiment_.threads.count())
        .add("ranks", processes_.count())
        .add_raw("held_samples", "[" + fmt::format("{}", fmt::join(held, ", ")) + "]")
        .add("version", version());
    return text.lines();
  }

  const RunOptions& options_;
  Processes alone_;
  Processes& processes_;
  Experiment<Real> experiment_;
  CertifyRecord<Real> certify_record_;
  Budget budget_;
  const Index record_every_;
  Meeting meeting_;
  std::optional<RunDirectory> directory_;  // these three at the first process alone, but for the trace
  std::optional<LineFile> metrics_;
  std::optional<Trace<Real>> trace_;
  Stopwatch watch_;
  double next_sign_ = 0;
  const Index batch_ = experiment_.config.problem.integer("batch");
  Index samples_ = 0;    // of all clients
  Index iteration_ = 0;  // finished ones
  Index begun_ = 0;      // one more where a step ended in divergence
  Index recorded_ = -1;
  Summary summary_;
};

// Before anything is done together: processes that do different things would wait for each other for ever.
// Paths may differ from machine to machine, and so may the number of threads.
void refuse_different_runs(Config config, const RunOptions& options, Processes& processes) {
  for (const char* path : {"data", "test", "model"})
    if (config.problem.has(path)) config.problem.set(path, std::string());
  config.run.set("threads", std::int64_t{0});
  const auto all = processes.gather(written(config) + (options.trace.empty() ? "" : "and a trace"));
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Error("the process of rank " + std::to_string(rank) +
                      " has another config, or other options, than the first",
                  "", "start all with the same words, and give all machines the same file");
}

}  // namespace

Summary run(const Config& config, const RunOptions& options) {
  if (options.processes) refuse_different_runs(config, options, *options.processes);
  if (config.general.text("precision") == "float32") return Runner<float>(config, options).run();
  return Runner<double>(config, options).run();
}

}  // namespace doc2s
