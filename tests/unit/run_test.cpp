// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
#include "doc2s/run/run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "checkpoint/checkpoint_file.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "run/end_notes.hpp"
#include "run/run_directory.hpp"

namespace doc2s {
namespace {

namespace fs = std::filesystem;

class Run : public ::testing::Test {
 protected:
  Run() {
    char pattern[] = "/tmp/doc2s-run-XXXXXX";
    folder_ = mkdtemp(pattern);
  }
  ~Run() override { fs::remove_all(folder_); }

  // A small experiment, changed by lines of "key=value".
  Summary run_with(const std::vector<std::string>& words, const std::string& name, bool force = false) {
    Changes changes = {change_from("problem.size=200"), change_from("problem.dimension=12"),
                       change_from("clients.count=8"),  change_from("method.K=4"),
                       change_from("method.T=20"),      change_from("run.record_every=30")};
    for (const auto& word : words) changes.push_back(change_from(word));
    RunOptions options;
    options.directory = path(name);
    options.force = force;
    return run(default_config(changes), options);
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  std::vector<nlohmann::json> records(const std::string& name) const {
    std::ifstream file(path(name) + "/metrics.jsonl");
    std::vector<nlohmann::json> all;
    for (std::string line; std::getline(file, line);) all.push_back(nlohmann::json::parse(line));
    return all;
  }

  std::string folder_;
};

// With fewer evaluated samples than clients, that many clients give one each.
TEST_F(Run, LossesOfSomeClients) {
  const Summary all = run_with({}, "all"), some = run_with({"problem.evaluation=5"}, "some"),
                each = run_with({"problem.evaluation=8"}, "each");
  EXPECT_EQ(some.trajectory, all.trajectory);
  EXPECT_EQ(records("all").back()["evaluated_on"], 200);
  EXPECT_EQ(records("each").back()["evaluated_on"], 8);
  EXPECT_EQ(records("some").back()["evaluated_on"], 5);
  EXPECT_EQ(records("some").front()["loss_mean_point"], 1);  // the hinge at x = 0, of every sample
}

TEST_F(Run, RecordsAreWhereTheyShouldBe) {
  const Summary summary = run_with({}, "a");
  EXPECT_EQ(summary.status, Status::finished);
  EXPECT_EQ(summary.epochs, 4);
  std::vector<Index> iterations;
  for (const auto& record : records("a")) iterations.push_back(record["iteration"]);
  EXPECT_EQ(iterations, (std::vector<Index>{0, 30, 60, 80}));
  EXPECT_EQ(records("a").back()["samples"], 80);
  EXPECT_EQ(records("a").back()["communication_rounds"], 80 * 4);
}

TEST_F(Run, TheHashTellsEqualRunsFromOthers) {
  auto hash = [&, k = 0](const std::vector<std::string>& words) mutable {
    return run_with(words, std::to_string(k++)).trajectory;
  };
  const std::string first = hash({});
  EXPECT_EQ(hash({}), first);
  EXPECT_EQ(hash({"network.weights=uniform"}), first);  // on a ring the same weights as metropolis
  const auto large = [&](const char* threads) {         // enough numbers to be worth a second thread
    return hash({"problem.dimension=6000", "method.K=1", threads});
  };
  EXPECT_EQ(large("run.threads=1"), large("run.threads=2"));
  EXPECT_EQ(hash({"run.record_every=7"}), first);
  EXPECT_NE(hash({"seed=2"}), first);
  EXPECT_NE(hash({"precision=float32"}), first);
  EXPECT_NE(hash({"method.order=zeroth"}), first);
  EXPECT_NE(hash({"method.eta=0.0100000001"}), first);
}

TEST_F(Run, TheFirstBudgetReachedStops) {
  EXPECT_EQ(run_with({"run.budget.samples=33", "run.budget.iterations=50"}, "a").end["iteration"], 33);
  EXPECT_EQ(run_with({"run.budget.samples=33", "problem.batch=10"}, "b").end["iteration"], 4);
  const Summary rounds = run_with({"run.budget.communication_rounds=41"}, "c");
  EXPECT_EQ(rounds.end["iteration"], 11);
  EXPECT_EQ(rounds.stopped_by, "run.budget.communication_rounds");
  EXPECT_EQ(rounds.epochs, 0);
  const Summary computed = run_with({"run.budget.computation_rounds=17"}, "e");
  EXPECT_EQ(computed.end["iteration"], 17);
  EXPECT_EQ(computed.stopped_by, "run.budget.computation_rounds");
  const double bytes = rounds.end["bytes"];  // of 11 iterations
  EXPECT_EQ(run_with({"run.budget.bytes=" + std::to_string(static_cast<Index>(bytes))}, "f").end["bytes"],
            bytes);
  const Summary more = run_with({"run.budget.bytes=" + std::to_string(static_cast<Index>(bytes) + 1)}, "g");
  EXPECT_EQ(more.end["iteration"], 12);
  EXPECT_EQ(more.stopped_by, "run.budget.bytes");
  const Summary seconds = run_with({"run.budget.seconds=0.05", "method.K=1000000"}, "d");
  EXPECT_GE(seconds.end["seconds"], 0.05);
  EXPECT_EQ(seconds.stopped_by, "run.budget.seconds");
}

TEST_F(Run, DivergenceKeepsTheRecords) {
  const Summary summary = run_with({"method.eta=3e153", "method.D=1e308", "run.record_every=1"}, "a");
  EXPECT_EQ(summary.status, Status::diverged);
  EXPECT_GE(records("a").size(), 2u);
  EXPECT_TRUE(fs::exists(path("a") + "/summary.json"));
}

TEST_F(Run, DivergenceIsTheSameOnAnyThreads) {
  std::string first;
  for (const std::string method : {"me-dol", "dgfm"})
    for (const std::string threads : {"1", "2", "3"}) {
      std::vector<std::string> words = {"run.threads=" + threads, "method.name=" + method,
                                        "method.eta=1e308"};
      if (method == "me-dol") words.push_back("method.D=1e308");
      const Summary summary = run_with(words, method + threads);
      EXPECT_EQ(summary.status, Status::diverged);
      if (threads == "1") first = summary.trajectory;
      EXPECT_EQ(summary.trajectory, first) << method << " on " << threads << " threads";
    }
}

TEST_F(Run, ADirectoryWithARunIsRefusedAndLeftAsItIs) {
  const Summary first = run_with({}, "a");
  EXPECT_THROW(run_with({"seed=2"}, "a"), Error);
  EXPECT_EQ(records("a").size(), 4u);
  EXPECT_NE(run_with({"seed=2"}, "a", /*force=*/true).trajectory, first.trajectory);
}

TEST_F(Run, AMistakeLeavesNoDirectoryBehind) {
  EXPECT_THROW(run_with({"method.R=1", "clients.count=16"}, "a"), Error);
  EXPECT_THROW(run_with({"clients.count=300"}, "a"), Error);
  EXPECT_FALSE(fs::exists(path("a")));
}

TEST_F(Run, ACheckpointOfAnOlderFormatIsRefused) {
  run_with({"run.checkpoint_every=30"}, "a");
  for (const auto& entry : fs::directory_iterator(path("a") + "/checkpoint")) {
    CheckpointHeader header;
    header.version = 1;
    CheckpointWriter(entry.path().string(), header).finish();
  }
  RunOptions options;
  options.directory = path("a");
  options.resume = true;
  try {
    run(read_configs(path("a") + "/config.toml").front(), options);
    FAIL() << "it was read";
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("is a checkpoint of format 1, and this doc2s reads format 2"), what.npos) << what;
    EXPECT_NE(what.find("to begin again: doc2s run"), what.npos) << what;
  }
  EXPECT_EQ(records("a").size(), 4u);
}

TEST_F(Run, NpyHasNumpysLayout) {
  Rows<float> rows({0, 2}, 3);
  rows.row(1)[2] = 5;
  FileWriter file(path("x.npy"));
  put_npy<float>(file, 2, 3, [&](int i) { return std::as_const(rows).row(i); });
  file.flush();
  const std::string bytes = read_whole(path("x.npy"));
  EXPECT_EQ(bytes.substr(1, 5), "NUMPY");
  EXPECT_EQ((bytes.size() - 6 * sizeof(float)) % 64, 0u);
  EXPECT_NE(bytes.find("'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)"), std::string::npos);
  float last;
  std::memcpy(&last, bytes.data() + bytes.size() - sizeof last, sizeof last);
  EXPECT_EQ(last, 5);
}

// A run of a hundred iterations with a record every ten, its loss by the share that is done.
std::vector<std::string> notes_of(const std::function<double(double)>& loss, StepCounts counts = {100, 0, 0},
                                  const std::vector<std::string>& words = {}) {
  Changes changes;
  for (const auto& word : words) changes.push_back(change_from(word));
  std::vector<LossAt> losses;
  for (Index k = 0; k <= 10; ++k) losses.push_back({10 * k, loss(static_cast<double>(k) / 10)});
  return end_notes(default_config(changes), "the end of the method", losses, counts);
}

void expect_note(const std::vector<std::string>& notes, const std::vector<std::string>& words) {
  ASSERT_EQ(notes.size(), 1u);
  for (const auto& word : words)
    EXPECT_NE(notes[0].find(word), std::string::npos) << word << " in: " << notes[0];
}

TEST(EndNotes, AGoodRunHasNone) {
  EXPECT_TRUE(notes_of([](double t) { return std::exp(-5 * t); }).empty());
  EXPECT_TRUE(notes_of([](double t) { return std::exp(-5 * t); }, {100, 0, 80}).empty());
  EXPECT_TRUE(
      notes_of([](double t) { return t < 0.3 ? 1.0 : 0.0; }, {100, 95, 0}).empty());  // it has arrived
  EXPECT_TRUE(notes_of([](double t) { return t < 0.5 ? 1 : 0.4 + 0.05 * t; }).empty());
  EXPECT_TRUE(notes_of([](double t) { return t == 0 ? 1 : 1e-7 * t; }).empty());
  EXPECT_TRUE(notes_of([](double) { return 3.0; }).empty());
}

TEST(EndNotes, StepsCutToD) {
  expect_note(notes_of([](double t) { return std::exp(-5 * t); }, {100, 0, 97}),
              {"97 % of the steps were cut to D", "smaller step, method.D"});
}

TEST(EndNotes, ALossThatStillFalls) {
  const auto falling = [](double t) { return 300 - 50 * t; };
  expect_note(notes_of(falling), {"still falls", "method.eta = 0.03", "longer run, method.K"});
  expect_note(notes_of(falling, {100, 0, 99}), {"still falls", "99 % of the steps", "method.D = 0.1"});
  expect_note(notes_of(falling, {100, 0, 0}, {"method.name=dsgd"}), {"method.eta", "method.iterations"});
  expect_note(notes_of(falling, {100, 0, 0}, {"run.budget.iterations=100"}),
              {"longer run, run.budget.iterations"});
  EXPECT_TRUE(notes_of(falling, {100, 0, 99}, {"method.parameters=theory"}).empty());
}

TEST(EndNotes, ALossAboveItsBest) {
  expect_note(notes_of([](double t) { return std::abs(t - 0.6); }),
              {"lower on the way, 0 at iteration 60", "end, 0.4", "method.eta = 0.003"});
  expect_note(notes_of([](double t) { return std::abs(t - 0.6); }, {100, 0, 90}), {"method.D = 0.003"});
  expect_note(notes_of([](double t) { return t == 0 ? 1.75 : 0.36 + 0.1 * t; }), {"lower on the way"});
  expect_note(notes_of([](double t) { return 1 + t; }),
              {"never fell below that of the start, 1, and ends at 2"});
}

TEST(EndNotes, EstimatesOfZero) {
  const auto flat = [](double) { return 3.0; };
  expect_note(notes_of(flat, {100, 90, 0}), {"90 % of the estimates were 0", "another start"});
  expect_note(
      notes_of(flat, {100, 100, 0}, {"method.order=zeroth", "method.delta_prime=1e-5"}),
      {"100 % of the estimates were 0", "a point of symmetry", "delta_prime = 1e-05; try another start"});
}

TEST(EndNotes, EstimatesThatAreRounding) {
  const auto flat = [](double) { return 3.0; };
  const std::vector<std::string> words = {"method.order=zeroth", "method.delta_prime=1e-5"};
  EXPECT_TRUE(notes_of(flat, {100, 0, 0, 49}, words).empty());
  expect_note(notes_of(flat, {100, 0, 0, 50}, {words[0], words[1], "precision=float32"}),
              {"float32 rounds a loss of 3 by up to 1.8e-07", "50 % of the estimates",
               "delta_prime = 0.001 or precision = \"float64\""});
  expect_note(notes_of(flat, {100, 0, 0, 50}, words), {"float64 rounds", "try method.delta_prime = 0.001"});
  expect_note(notes_of(flat, {100, 90, 0, 90}, words), {"were 0"});
}

// The paper's first task: from 1.0 to below 0.45 within 4,000 samples.
TEST_F(Run, LossOnA9aFalls) {
  if (!std::getenv("DOC2S_DATA")) GTEST_SKIP() << "a9a is looked for in $DOC2S_DATA, which is not set";
  for (const char* precision : {"precision=float64", "precision=float32"}) {
    const Summary summary = run_with(
        {precision, "problem.data=a9a", "clients.count=16", "method.K=40", "method.T=100", "method.R=2",
         "method.eta=0.01", "method.D=0.01", "run.budget.samples=4000", "run.record_every=1000"},
        precision);
    EXPECT_NEAR(summary.loss_start, 1, 1e-6);
    EXPECT_LT(summary.end["loss_mean_point"], 0.45);
    EXPECT_EQ(summary.end["samples"], 4000);
    EXPECT_GT(summary.end["accuracy"], 0.75);
  }
}

}  // namespace
}  // namespace doc2s
