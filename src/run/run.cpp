#include "doc2s/run/run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>

#include "base/long_work.hpp"
#include "budget.hpp"
#include "certify_record.hpp"
#include "checkpoint_keeper.hpp"
#include "config/config_difference.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "fingerprint.hpp"
#include "kept_run.hpp"
#include "measures.hpp"
#include "meeting.hpp"
#include "record_json.hpp"
#include "run_directory.hpp"
#include "setting.hpp"
#include "stopwatch.hpp"
#include "summary_text.hpp"
#include "trace.hpp"

namespace doc2s {

namespace {

constexpr double progress_interval = 0.1;  // of life, to whoever watches

// Thrown by all of several processes where they meet and one of them has diverged. Some are further by then,
// so the run goes to that iteration once more, where the processes keep in step.
struct OneHasDiverged {
  Index iteration;
  Index told;  // the iteration of the last record that the callback was given
  std::string directory;
};

template <class Real>
class Runner {
 public:
  Runner(const Config& config, const RunOptions& options, const Problem<Real>* own = nullptr,
         KeptInMemory* kept = nullptr, const OneHasDiverged* before = nullptr)
      : options_(options),
        kept_(kept),
        before_(before),
        processes_(options.processes ? *options.processes : alone_),
        set_up_(std::in_place, options.stop, options.on_set_up),
        experiment_(config, processes_, own),
        certify_record_(experiment_),
        budget_(config.run, experiment_.algorithm->length()),
        record_every_(config.run.integer("record_every")),
        meeting_(processes_) {
    set_up_.reset();
    if (options.on_made) options.on_made();
    if (!options.directory.empty()) take_directory();
    if (options.resume && resume()) return;
    if (!options.trace.empty()) start_trace();
    if (directory_) begin_files();
    tell(experiment_.config.notices);
    tell(certify_record_.notes());
    tell_of_points();
  }

  Summary run() {
    try {
      if (at_.recorded < 0) record_first();
      watch_.go();
      while (!ended()) {
        step();
        if (keeper_ && keeper_->due(at_.iteration, meeting_.elapsed())) checkpoint();
      }
      agree_on_divergence();
      if (keeper_ && (summary_.status == Status::interrupted || keeper_->keeps_the_end())) checkpoint();
    } catch (const Diverged& error) {
      summary_.status = Status::diverged;
      summary_.stopped_by = error.what();
    }
    watch_.halt();
    tell_if_nothing_was_left();
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

  void tell_if_nothing_was_left() const {
    if (summary_.status == Status::finished && at_.iteration > 0 && at_.iteration == resumed_from_.iteration)
      tell({"went no further: " + what_ended_it()});
  }

  // "run.budget.samples = 4000 is reached; to go on: --set run.budget.samples=8000"
  std::string what_ended_it() const {
    const std::string prefix = "run.";
    if (!summary_.stopped_by.starts_with(prefix))
      return fmt::format("it has come to {} already; to go on: --set method.K=NUMBER, larger than before",
                         summary_.stopped_by);
    const Value& most = experiment_.config.run.value(summary_.stopped_by.substr(prefix.size()));
    const auto* whole = std::get_if<std::int64_t>(&most);
    const Value more = whole ? Value(2 * *whole) : Value(2 * std::get<double>(most));
    return fmt::format("{0} = {1} is reached; to go on: --set {0}={2}", summary_.stopped_by, to_toml(most),
                       to_toml(more));
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
    if (directory_) settle_for_records_there();
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

  // A run goes on also where somebody emptied or cut its records.
  void settle_for_records_there() {
    const std::string path = directory_->file("metrics.jsonl");
    std::error_code absent;
    const std::string text = std::filesystem::exists(path, absent) ? read_whole(path) : "";
    if (std::ssize(text) >= at_.metrics_bytes) return;
    at_.metrics_bytes = static_cast<Index>(text.rfind('\n') + 1);  // whole lines; npos + 1 is 0
    if (!std::filesystem::exists(path, absent)) directory_->write("metrics.jsonl", "");
    if (options_.on_warning)
      options_.on_warning(path + " was cut: its records from there to the checkpoint are lost");
  }

  void keep_earlier_records() {
    std::istringstream lines(told_by_first(directory_ ? read_whole(directory_->file("metrics.jsonl")) : ""));
    std::string line;
    for (Index read = 0; read < at_.metrics_bytes && std::getline(lines, line); read += std::ssize(line) + 1)
      if (const auto record = record_from(line)) kept_->records.push_back(*record);
  }

  void checkpoint() {
    if (keeper_->tried(at_.iteration)) return;
    agree_on_divergence();
    watch_.halt();
    Record now;
    count_all(now);
    at_.seconds = now["seconds"];
    at_.wire_bytes = now.whole("wire_bytes");
    at_.messages = now.whole("messages");
    at_.record_bytes = now.whole("record_bytes");
    at_.certified = certify_record_.records();
    keeper_->write(at_, [&] { sync_lines(); });
    watch_.go();
    keeper_->wrote(gathered<double>(processes_, {elapsed()}).front());
  }

  double elapsed() const { return watch_.seconds() + watch_.halted(); }

  bool ended() {
    if (meeting_.due(at_.iteration)) {
      const double seconds = watch_.seconds();
      meeting_.hold(at_.iteration, options_.stop && *options_.stop, seconds, seconds + watch_.halted());
      agree_on_divergence();
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
    Divergence& divergence = experiment_.transport->divergence();
    if (before_ && at_.iteration == before_->iteration) divergence.go_in_step();
    experiment_.algorithm->step(at_.iteration);
    if (diverged_ == never && divergence.found()) diverged_ = at_.iteration;
    ++at_.iteration;
    if (trace_ || at_.iteration % record_every_ == 0 || watch_.seconds() > next_progress_) report_step();
  }

  // What a step leaves for others to see; its time is not the method's.
  void report_step() {
    watch_.halt();
    if (trace_ || at_.iteration % record_every_ == 0) agree_on_divergence();
    if (trace_) trace_->write(at_.iteration - 1);
    if (at_.iteration % record_every_ == 0)
      record();
    else if (watch_.seconds() > next_progress_)
      show(false);
    watch_.go();
  }

  void record_first() {
    try {
      record();
    } catch (const Interrupted& stop) {
      if (!directory_) throw;
      throw Interrupted(
          fmt::format("{}; to begin again: doc2s run --resume {}", stop.what(), directory_->path()));
    }
  }

  // Where all processes are: nothing that was computed after one diverged is kept.
  void agree_on_divergence() {
    if (processes_.count() == 1) return;
    const Index first = std::ranges::min(gathered<Index>(processes_, {diverged_}));
    if (first == never) return;
    tell(
        {fmt::format("a client diverged in iteration {}; the processes go there once more, in step", first)});
    throw OneHasDiverged{first, at_.recorded, directory_ ? directory_->path() : options_.directory};
  }

  void record() {
    Record now;
    count_all(now);
    fill_measures(experiment_, now, at_.iteration == 0 && processes_.count() == 1 ? options_.stop : nullptr);
    certify_record_.add_to(now);
    at_.last = now;
    at_.recorded = at_.iteration;
    write_line(now);
    if (kept_) kept_->records.push_back(now);
    if (options_.on_record && !(before_ && at_.iteration <= before_->told)) ask_callback(now);
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

  // To the disk, before a summary says that the run is whole.
  void sync_lines() {
    if (metrics_) at_.metrics_bytes = metrics_->sync();
    if (trace_) at_.trace_bytes = trace_->sync();
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
    sync_lines();
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
      kept_->config = written(experiment_.config);
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
  KeptInMemory* const kept_;            // null: only files
  const OneHasDiverged* const before_;  // null: the first time
  Processes alone_;
  Processes& processes_;
  std::optional<Listener> set_up_;  // while the experiment is made
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
  static constexpr Index never = std::numeric_limits<Index>::max();
  Index diverged_ =
      never;  // the first iteration in which a client here did, where there are several processes
  Summary summary_;
};

// To its end, whichever process finds it.
template <class Real>
Summary run_through(const Config& config, const RunOptions& options, const Problem<Real>* own,
                    KeptInMemory* kept) {
  std::optional<OneHasDiverged> diverged;
  try {
    return Runner<Real>(config, options, own, kept).run();
  } catch (const OneHasDiverged& found) {
    diverged = found;
  }
  RunOptions again = options;
  again.directory = diverged->directory;
  again.resume = !again.directory.empty();
  again.numbered = false;
  again.force = true;  // a trace that has been begun
  if (kept) *kept = {};
  return Runner<Real>(config, again, own, kept, &*diverged).run();
}

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

namespace {

Summary run_keeping(const Config& config, const RunOptions& options, KeptInMemory* kept) {
  if (options.processes) refuse_different_runs(config, options, *options.processes);
  if (config.general.text("precision") == "float32")
    return run_through<float>(config, options, nullptr, kept);
  return run_through<double>(config, options, nullptr, kept);
}

}  // namespace

Summary run(const Config& config, const RunOptions& options) { return run_keeping(config, options, nullptr); }

Summary run(const Config& config, const RunOptions& options, KeptInMemory& kept) {
  return run_keeping(config, options, &kept);
}

template <class Real>
Summary run_users_problem(const Problem<Real>& problem, const Config& config, const RunOptions& options,
                          KeptInMemory& kept) {
  if (options.processes) refuse_different_runs(config, options, *options.processes);
  return run_through<Real>(config, options, &problem, &kept);
}

template Summary run_users_problem(const Problem<float>&, const Config&, const RunOptions&, KeptInMemory&);
template Summary run_users_problem(const Problem<double>&, const Config&, const RunOptions&, KeptInMemory&);

}  // namespace doc2s
