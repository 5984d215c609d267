#include "doc2s/run/run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "budget.hpp"
#include "certify_record.hpp"
#include "checkpoint_keeper.hpp"
#include "config/config_difference.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "fingerprint.hpp"
#include "measures.hpp"
#include "meeting.hpp"
#include "record_json.hpp"
#include "run_directory.hpp"
#include "setting.hpp"
#include "stopwatch.hpp"
#include "summary_text.hpp"
#include "trace.hpp"
#include "users_problem.hpp"

namespace doc2s {

namespace {

constexpr double progress_interval = 0.1;  // of life, to whoever watches

template <class Real>
class Runner {
 public:
  Runner(const Config& config, const RunOptions& options, const Problem<Real>* own = nullptr,
         KeptInMemory* kept = nullptr)
      : options_(options),
        kept_(kept),
        processes_(options.processes ? *options.processes : alone_),
        experiment_(config, processes_, own),
        certify_record_(experiment_),
        budget_(config.run, experiment_.algorithm->length()),
        record_every_(config.run.integer("record_every")),
        meeting_(processes_) {
    if (!options.directory.empty()) take_directory();
    if (options.resume && resume()) return;
    if (!options.trace.empty()) start_trace();
    if (directory_) begin_files();
    tell(experiment_.config.notices);
    tell_of_points();
  }

  Summary run() {
    try {
      if (at_.recorded < 0) record();
      watch_.go();
      while (!ended()) {
        step();
        if (keeper_ && keeper_->due(at_.iteration, meeting_.elapsed())) checkpoint();
      }
      if (keeper_ && (summary_.status == Status::interrupted || keeper_->keeps_the_end())) checkpoint();
    } catch (const Diverged& error) {
      const bool within_a_step = at_.begun > at_.iteration;
      if (within_a_step && processes_.count() > 1) throw;  // the others wait for what will never be sent
      summary_.status = Status::diverged;
      summary_.stopped_by = error.what();
    }
    watch_.halt();
    finish();
    return summary_;
  }

 private:
  static RunDirectory::Claim claim(const RunOptions& options) {
    if (options.resume) return RunDirectory::Claim::resuming;
    if (options.numbered) return RunDirectory::Claim::numbered;
    return options.force ? RunDirectory::Claim::replacing : RunDirectory::Claim::unused;
  }

  void take_directory() {
    std::vector<std::uint64_t> problem = fingerprint(experiment_);
    if (processes_.is_first()) directory_.emplace(options_.directory, claim(options_));
    keeper_.emplace(experiment_, std::move(problem), options_,
                    told_by_first(directory_ ? absolute(directory_->path()) : ""));
  }

  static std::string absolute(const std::string& path) { return std::filesystem::absolute(path).string(); }
  std::string told_by_first(const std::string& text) { return processes_.gather(text).front(); }

  void tell(const std::vector<std::string>& notices) const {
    if (processes_.is_first() && options_.on_notices) options_.on_notices(notices);
  }

  void tell_of_points() const {
    if (experiment_.algorithm->iterate().dimension() == 0)
      tell({fmt::format(
          "the points of {} clients are not kept, as they would be {:.2g} numbers: loss_clients, "
          "loss_worst and consensus are null, and output.npy has one row",
          experiment_.world.n(),
          static_cast<double>(experiment_.world.n()) * static_cast<double>(experiment_.world.d()))});
  }

  void begin_files() {
    directory_->write("config.toml", written(experiment_.config));
    directory_->begin();
    if (options_.on_begin) options_.on_begin();
    write_setting();
    keeper_->begin();
    metrics_.emplace(directory_->file("metrics.jsonl"));
  }

  void write_setting() {
    directory_->write("setting.json", setting_text(experiment_) + "\n");
    const Preprocessing& preprocessing = experiment_.made.preprocessing;
    if (!preprocessing.problem.empty())
      directory_->write("preprocessing.json", preprocessing_text(preprocessing));
  }

  void start_trace() {
    if (processes_.is_first()) check_trace();
    trace_.emplace(options_.trace, experiment_);
  }

  void check_trace() const {
    const std::string where = "--trace " + options_.trace;
    if (directory_ && is_run_file(directory_->path(), options_.trace))
      throw Error("is a file of the run itself", where, "give another file");
    if (std::filesystem::is_directory(options_.trace)) throw Error("is a directory", where, "give a file");
    if (std::filesystem::exists(options_.trace) && !options_.force)
      throw Error("already exists", where, "give another file, or --force to replace it");
    if (!options_.trace_insisted) refuse_large_trace(experiment_, options_.trace);
  }

  // False if the run was interrupted before its first checkpoint: then it begins again.
  bool resume() {
    if (!keeper_->resume(at_)) {
      tell({"there is no checkpoint, so the run begins again"});
      return false;
    }
    refuse_to_be_shorter();
    go_on();
    return true;
  }

  void refuse_to_be_shorter() const {
    const Settings& run = experiment_.config.run;
    Tick end = experiment_.algorithm->length();
    if (run.has("budget.iterations")) end = std::min<Tick>(end, run.integer("budget.iterations"));
    if (at_.iteration > end)
      throw Error(fmt::format("is at iteration {} already, and would end at {}", at_.iteration, end),
                  options_.directory, "give a larger method.K or run.budget.iterations, or start a new run");
  }

  void go_on() {
    resumed_from_ = at_;
    watch_ = Stopwatch(at_.seconds);
    certify_record_.records() = at_.certified;
    if (!options_.trace.empty()) trace_.emplace(options_.trace, experiment_, at_.trace_bytes);
    if (kept_) keep_earlier_records();
    if (!directory_) return;
    metrics_.emplace(directory_->file("metrics.jsonl"), at_.metrics_bytes);
    directory_->write("config.toml", written(experiment_.config));
    directory_->go_on();
    write_setting();
    tell(experiment_.config.notices);
    tell_of_points();
    tell({fmt::format("continues from the checkpoint of iteration {}", at_.iteration)});
  }

  void keep_earlier_records() {
    std::istringstream lines(told_by_first(directory_ ? read_whole(directory_->file("metrics.jsonl")) : ""));
    std::string line;
    for (Index read = 0; read < at_.metrics_bytes && std::getline(lines, line); read += std::ssize(line) + 1)
      if (const auto record = record_from(line)) kept_->records.push_back(*record);
  }

  void checkpoint() {
    if (keeper_->tried(at_.iteration)) return;
    watch_.halt();
    Record now;
    count_all(now);
    at_.seconds = now["seconds"];
    at_.wire_bytes = now.whole("wire_bytes");
    at_.messages = now.whole("messages");
    at_.record_bytes = now.whole("record_bytes");
    at_.certified = certify_record_.records();
    keeper_->write(at_, [&] {
      if (metrics_) at_.metrics_bytes = metrics_->sync();
      if (trace_) at_.trace_bytes = trace_->sync();
    });
    watch_.go();
    keeper_->wrote(gathered<double>(processes_, {elapsed()}).front());
  }

  double elapsed() const { return watch_.seconds() + watch_.halted(); }

  bool ended() {
    if (meeting_.due(at_.iteration)) {
      const double seconds = watch_.seconds();
      meeting_.hold(at_.iteration, options_.stop && *options_.stop, seconds, seconds + watch_.halted());
    }
    if (meeting_.stop()) {
      summary_.status = Status::interrupted;
      summary_.stopped_by = "a signal";
    } else if (const Used now = used(); budget_.share(now) >= 1) {
      summary_.status = Status::finished;
      summary_.stopped_by = budget_.nearest(now);
    } else if (stopped_by_callback_) {
      summary_.status = Status::interrupted;
      summary_.stopped_by = "the callback";
    }
    return summary_.status != Status::running;
  }

  void step() {
    ++at_.begun;
    const Algorithm<Real>& method = *experiment_.algorithm;
    at_.samples += method.callers() * method.estimates(at_.iteration) * batch_;
    experiment_.algorithm->step(at_.iteration);
    ++at_.iteration;
    if (trace_ || at_.iteration % record_every_ == 0 || watch_.seconds() > next_progress_) report_step();
  }

  // What a step leaves for others to see; its time is not the method's.
  void report_step() {
    watch_.halt();
    if (trace_) trace_->write(at_.iteration - 1);
    if (at_.iteration % record_every_ == 0)
      record();
    else if (watch_.seconds() > next_progress_)
      show(false);
    watch_.go();
  }

  void record() {
    Record now;
    count_all(now);
    fill_measures(experiment_, now);
    certify_record_.add_to(now);
    at_.last = now;
    at_.recorded = at_.iteration;
    write_line(now);
    if (kept_) kept_->records.push_back(now);
    if (options_.on_record) ask_callback(now);
    if (at_.iteration == 0) at_.loss_start = now["loss_mean_point"];
    if (at_.iteration == 0 || now["loss_mean_point"] < at_.best["loss_mean_point"]) at_.best = now;
    show(true);
    if (!std::isfinite(now["loss_mean_point"]) || std::isinf(now["loss_clients"]))
      throw Diverged("the loss is no longer finite", "iteration " + std::to_string(at_.iteration));
  }

  // The first process's answer counts.
  void ask_callback(const Record& record) {
    const bool goes_on = !processes_.is_first() || options_.on_record(record);
    stopped_by_callback_ = gathered<char>(processes_, {goes_on ? '\1' : '\0'}).front() == '\0';
  }

  void write_line(const Record& record) {
    if (!metrics_) return;
    JsonObject line;
    for (const Quantity& quantity : quantities()) add_to(line, quantity, record[quantity.name]);
    metrics_->write_line(line.line());
    metrics_->flush();
  }

  void show(bool fresh) {
    next_progress_ = watch_.seconds() + progress_interval;
    if (!options_.on_progress) return;
    const Used now = used();
    Record record = at_.last;
    record["iteration"] = static_cast<double>(now.iterations);
    record["samples"] = static_cast<double>(now.samples);
    record["communication_rounds"] = static_cast<double>(now.communication_rounds);
    record["seconds"] = now.seconds;
    options_.on_progress({record, budget_.share(now), fresh});
  }

  void finish() {
    try {
      if (at_.recorded != at_.iteration && summary_.status != Status::diverged) record();
    } catch (const Diverged& error) {
      summary_.status = Status::diverged;
      summary_.stopped_by = error.what();
    }
    summary_.end = at_.last;
    count_all(summary_.end);
    summary_.best = at_.best;
    summary_.loss_start = at_.loss_start;
    if (keeper_) summary_.checkpoint = keeper_->last();
    summary_.trajectory = experiment_.trajectory();
    const Output<Real> output = experiment_.algorithm->output();
    summary_.epochs = output.epochs;
    write_points(output);
    const std::vector<Index> held = gathered<Index>(processes_, {experiment_.problem().held_samples()});
    const std::string text = summary_text(experiment_, summary_, held) + "\n";
    if (kept_) {
      kept_->x.assign(output.last.begin(), output.last.end());
      kept_->summary = text;
    }
    if (!directory_) return;
    summary_.directory = directory_->path();
    directory_->write("last.npy", [&](FileWriter& file) { put_npy(file, output.last); });
    directory_->write("summary.json", text);
    if (has_ended(summary_.status)) keeper_->end();
  }

  // The first process writes them one by one, as it gets them from the others. One row is enough where all
  // have the same and the rows are not kept.
  void write_points(const Output<Real>& output) {
    std::vector<Real> scratch;
    const auto row = [&](int client) {
      return output.points ? experiment_.transport->bring(*output.points, client, scratch) : output.common;
    };
    const bool one = !output.points && experiment_.algorithm->iterate().dimension() == 0;
    const int rows = one ? 1 : experiment_.world.n();
    const auto kept_row = [&](int client) {
      const auto numbers = row(client);
      if (kept_) kept_->outputs.insert(kept_->outputs.end(), numbers.begin(), numbers.end());
      return numbers;
    };
    if (directory_)
      directory_->write("output.npy", [&](FileWriter& file) {
        put_npy<Real>(file, rows, experiment_.world.d(), kept_row);
      });
    else
      for (int i = 0; i < rows; ++i) kept_row(i);
  }

  Used used() const {
    const Traffic& traffic = experiment_.peers.traffic();
    return {.iterations = at_.iteration,
            .samples = at_.samples,
            .computation_rounds = at_.begun,
            .communication_rounds = traffic.rounds,
            .bytes = traffic.bytes,
            .seconds = processes_.count() == 1 ? watch_.seconds() : meeting_.seconds()};
  }

  void count_all(Record& record) const {
    fill_counts(experiment_, record);
    record["iteration"] = static_cast<double>(at_.iteration);
    record["computation_rounds"] = static_cast<double>(at_.begun);
    record["wire_bytes"] += static_cast<double>(resumed_from_.wire_bytes);
    record["messages"] += static_cast<double>(resumed_from_.messages);
    record["record_bytes"] += static_cast<double>(resumed_from_.record_bytes);
    record["seconds"] = watch_.seconds();
  }

  const RunOptions& options_;
  KeptInMemory* const kept_;  // null: only files
  Processes alone_;
  Processes& processes_;
  Experiment<Real> experiment_;
  CertifyRecord<Real> certify_record_;
  Budget budget_;
  const Index record_every_;
  Meeting meeting_;
  bool stopped_by_callback_ = false;
  std::optional<RunDirectory> directory_;  // this and the next at the first process only, and where asked for
  std::optional<FileWriter> metrics_;
  std::optional<Trace<Real>> trace_;
  std::optional<CheckpointKeeper<Real>> keeper_;  // none without a directory
  Stopwatch watch_;
  double next_progress_ = 0;
  const Index batch_ = experiment_.config.problem.integer("batch");
  RunState at_;
  RunState resumed_from_;  // all zero if it was not resumed
  Summary summary_;
};

// Before anything is done together: processes that do different things would wait for each other for ever.
void refuse_different_runs(const Config& config, const RunOptions& options, Processes& processes) {
  const auto all =
      processes.gather(same_on_all_machines(config) + (options.trace.empty() ? "" : "and a trace") +
                       (options.resume ? "and goes on" : "") + (options.on_record ? "and a callback" : "") +
                       (options.directory.empty() ? "" : "and files"));
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Error("the process of rank " + std::to_string(rank) +
                      " has another config, or other options, than the first",
                  "", "start all processes with the same arguments and config");
}

}  // namespace

Summary run(const Config& config, const RunOptions& options) {
  if (options.processes) refuse_different_runs(config, options, *options.processes);
  if (config.general.text("precision") == "float32") return Runner<float>(config, options).run();
  return Runner<double>(config, options).run();
}

template <class Real>
Summary run_users_problem(const Problem<Real>& problem, const Config& config, const RunOptions& options,
                          KeptInMemory& kept) {
  if (options.processes) refuse_different_runs(config, options, *options.processes);
  return Runner<Real>(config, options, &problem, &kept).run();
}

template Summary run_users_problem(const Problem<float>&, const Config&, const RunOptions&, KeptInMemory&);
template Summary run_users_problem(const Problem<double>&, const Config&, const RunOptions&, KeptInMemory&);

}  // namespace doc2s
