// SPDX-License-Identifier: Apache-2.0
#include "doc2s/run/run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "agreed_divergence.hpp"
#include "base/long_work.hpp"
#include "budget.hpp"
#include "certify_record.hpp"
#include "checkpoint_keeper.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "earlier_records.hpp"
#include "end_notes.hpp"
#include "fingerprint.hpp"
#include "kept_run.hpp"
#include "measures.hpp"
#include "meeting.hpp"
#include "record_json.hpp"
#include "run_directory.hpp"
#include "run_notices.hpp"
#include "setting.hpp"
#include "shared_folder.hpp"
#include "stopwatch.hpp"
#include "summary_text.hpp"
#include "trace.hpp"

namespace doc2s {

namespace {

constexpr double progress_interval = 0.1;  // of life, to whoever watches

template <class Real>
class Runner {
 public:
  Runner(const Config& config, const RunOptions& options, const Problem<Real>* own = nullptr,
         KeptInMemory* kept = nullptr, const OneHasDiverged* before = nullptr)
      : options_(options),
        kept_(kept),
        processes_(options.processes ? *options.processes : alone_),
        set_up_(std::in_place, options.stop, options.on_set_up),
        experiment_(config, processes_, own),
        certify_record_(experiment_),
        budget_(config.run, experiment_.algorithm->length()),
        record_every_(config.run.integer("record_every")),
        meeting_(processes_),
        divergence_(processes_, experiment_.transport->divergence(), before) {
    set_up_.reset();
    if (options.on_made) options.on_made();
    if (!options.trace.empty()) refuse_trace_of_others(experiment_, options.trace);
    if (!options.directory.empty()) take_directory(before == nullptr);
    if (options.resume && resume()) return;
    if (!options.trace.empty()) start_trace();
    if (directory_) begin_files();
    if (folder_.own) begin_own_folder();
    tell(experiment_.config.notices);
    tell_here(experiment_.made.local_notices);
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

  void take_directory(bool for_the_first_time) {
    std::vector<std::uint64_t> problem = fingerprint(experiment_);
    summary_.own_problem = own_problem_hash(experiment_, problem);
    if (processes_.is_first()) directory_.emplace(options_.directory, claim(options_));
    const Settings& run = experiment_.config.run;
    folder_ = shared_folder(processes_, directory_ ? &*directory_ : nullptr,
                            options_.resume ? RunDirectory::Claim::replacing : claim(options_),
                            asks_for_checkpoints(run) || run.text("on_checkpoint_error") == "stop");
    keeper_.emplace(experiment_, std::move(problem), options_, folder_);
    if (for_the_first_time) tell(folder_.notes);
  }

  std::string told_by_first(const std::string& text) { return processes_.gather(text).front(); }

  void tell(const std::vector<std::string>& notices) const {
    if (processes_.is_first() && options_.on_notices) options_.on_notices(notices);
  }

  // About this process's own files, which it prints itself.
  void tell_here(const std::vector<std::string>& notices) const {
    if (!notices.empty() && options_.on_notices) options_.on_notices(notices);
  }

  void tell_if_nothing_was_left() const {
    if (summary_.status == Status::finished && at_.iteration > 0 && at_.iteration == resumed_from_.iteration)
      tell({"went no further: " + what_ended_it(experiment_.config, summary_.stopped_by)});
  }

  void tell_of_points() const {
    if (experiment_.algorithm->iterate().dimension() == 0)
      tell({points_are_not_kept(experiment_.world.n(), experiment_.world.d())});
  }

  void begin_files() {
    directory_->write("config.toml", written(experiment_.config));
    directory_->begin();
    if (options_.on_begin) options_.on_begin();
    write_setting();
    keeper_->begin();
    metrics_.emplace(directory_->file("metrics.jsonl"));
  }

  // What `doc2s predict` needs.
  void begin_own_folder() {
    folder_.own->write("config.toml", written(experiment_.config));
    options_.resume ? folder_.own->go_on() : folder_.own->begin();
    write_preprocessing(*folder_.own);
  }

  void write_setting() {
    directory_->write("setting.json", setting_text(experiment_) + "\n");
    write_preprocessing(*directory_);
  }

  void write_preprocessing(const RunDirectory& directory) const {
    const Preprocessing& preprocessing = experiment_.made.preprocessing;
    if (!preprocessing.problem.empty())
      directory.write("preprocessing.json", preprocessing_text(preprocessing));
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
    refuse_to_be_shorter(experiment_.config, experiment_.algorithm->length(), at_.iteration,
                         options_.directory);
    go_on();
    return true;
  }

  void go_on() {
    resumed_from_ = at_;
    watch_ = Stopwatch(at_.seconds);
    certify_record_.records() = at_.certified;
    if (!options_.trace.empty()) trace_.emplace(options_.trace, experiment_, at_.trace_bytes);
    if (directory_) settle_for_records_there();
    if (folder_.own) begin_own_folder();
    const std::vector<Record> earlier =
        records_in(told_by_first(directory_ ? read_whole(directory_->file("metrics.jsonl")) : "")
                       .substr(0, at_.metrics_bytes));
    for (const Record& record : earlier) note_loss(record);
    if (kept_) kept_->records = earlier;
    if (!directory_) return;
    metrics_.emplace(directory_->file("metrics.jsonl"), at_.metrics_bytes);
    directory_->write("config.toml", written(experiment_.config));
    directory_->go_on();
    write_setting();
    tell(experiment_.config.notices);
    tell_of_points();
    tell({fmt::format("continues from the checkpoint of iteration {}", at_.iteration)});
  }

  void settle_for_records_there() {
    const std::string path = directory_->file("metrics.jsonl");
    const Index there = whole_lines(path, at_.metrics_bytes);
    if (there == at_.metrics_bytes) return;
    at_.metrics_bytes = there;
    std::error_code absent;
    if (!std::filesystem::exists(path, absent)) directory_->write("metrics.jsonl", "");
    if (options_.on_warning)
      options_.on_warning(path + " was cut: its records from there to the checkpoint are lost");
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
    divergence_.before_step(at_.iteration);
    experiment_.algorithm->step(at_.iteration);
    divergence_.after_step(at_.iteration);
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
    const Listener listener(nullptr, options_.on_set_up);
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
    const std::optional<Index> first = divergence_.agreed();
    if (!first) return;
    tell({fmt::format("a client diverged in iteration {}; the processes go there once more, in step",
                      *first)});
    throw OneHasDiverged{*first, at_.recorded, directory_ ? directory_->path() : options_.directory};
  }

  void record() {
    Record now;
    count_all(now);
    fill_measures(experiment_, now, at_.iteration == 0 && processes_.count() == 1 ? options_.stop : nullptr);
    certify_record_.add_to(now);
    at_.last = now;
    at_.recorded = at_.iteration;
    note_loss(now);
    write_line(now);
    if (kept_) kept_->records.push_back(now);
    if (options_.on_record && !divergence_.was_told(at_.iteration)) ask_callback(now);
    if (at_.iteration == 0) at_.loss_start = now["loss_mean_point"];
    if (at_.iteration == 0 || now["loss_mean_point"] < at_.best["loss_mean_point"]) at_.best = now;
    show(true);
    if (!std::isfinite(now["loss_mean_point"]) || std::isinf(now["loss_clients"]))
      throw Diverged("the loss is no longer finite", "iteration " + std::to_string(at_.iteration));
  }

  void note_loss(const Record& record) {
    losses_.push_back({record.whole("iteration"), record["loss_mean_point"]});
  }

  std::vector<std::string> notes_of_the_end() const {
    const Oracle<Real>& oracle = *experiment_.oracle;
    const auto sums =
        totals(processes_, {oracle.samples() / batch_, oracle.zeros(), oracle.clipped(), oracle.noisy()});
    return summary_.status == Status::finished ? end_notes(experiment_.config, summary_.stopped_by, losses_,
                                                           {sums[0], sums[1], sums[2], sums[3]})
                                               : std::vector<std::string>();
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
    summary_.notes = notes_of_the_end();
    tell(summary_.notes);
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
    const auto write_model = [&](const RunDirectory& directory) {
      directory.write("last.npy", [&](FileWriter& file) { put_npy(file, output.last); });
    };
    if (folder_.own) write_model(*folder_.own);
    if (!directory_) return;
    summary_.directory = directory_->path();
    write_model(*directory_);
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
  std::optional<Listener> set_up_;  // while the experiment is made
  Experiment<Real> experiment_;
  CertifyRecord<Real> certify_record_;
  Budget budget_;
  const Index record_every_;
  Meeting meeting_;
  AgreedDivergence divergence_;
  bool stopped_by_callback_ = false;
  std::optional<RunDirectory> directory_;  // this and the next at the first process only, and where asked for
  SharedFolder folder_;
  std::optional<FileWriter> metrics_;
  std::optional<Trace<Real>> trace_;
  std::optional<CheckpointKeeper<Real>> keeper_;  // none without a directory
  Stopwatch watch_;
  double next_progress_ = 0;
  const Index batch_ = experiment_.config.problem.integer("batch");
  std::vector<LossAt> losses_;  // one a record
  RunState at_;
  RunState resumed_from_;  // all zero if it was not resumed
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
