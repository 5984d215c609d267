// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer
// doc2s::solve: what `doc2s run` does, for a problem that the library has never seen.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <thread>

#include "doc2s/doc2s.hpp"

namespace doc2s {
namespace {

namespace fs = std::filesystem;

// f_i(x) = Σ_j |x_j − i|
double away_from(int client, std::span<const double> x) {
  double sum = 0;
  for (const double number : x) sum += std::abs(number - client);
  return sum;
}

// The same with a gradient, multiplied by a factor that makes it right (1) or wrong.
template <class Real>
class Distances : public Problem<Real> {
 public:
  explicit Distances(double factor = 1, int clients = 4) : factor_(factor), clients_(clients) {}
  int clients() const override { return clients_; }
  Index dimension() const override { return 3; }
  Index samples(int) const override { return 2; }
  double value(int client, std::span<const Index>, std::span<const Real> x,
               std::span<Real> gradient) const override {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      sum += std::abs(x[j] - client);
      if (!gradient.empty()) gradient[j] = static_cast<Real>(factor_ * (x[j] > client ? 1 : -1));
    }
    return sum;
  }

 private:
  double factor_;
  int clients_;
};

// Of which a function of each value is what is seen.
class Seen : public Distances<double> {
 public:
  Seen(std::function<double(double)> seen, bool with_gradient)
      : seen_(std::move(seen)), with_(with_gradient) {}
  bool has_gradient() const override { return with_; }
  double value(int client, std::span<const Index> batch, std::span<const double> x,
               std::span<double> gradient) const override {
    return seen_(Distances<double>::value(client, batch, x, gradient));
  }

 private:
  std::function<double(double)> seen_;
  bool with_;
};

Options small() {
  return Options::from_toml(
      "network = { graph = \"complete\" }\nmethod = { K = 4, T = 25, eta = 0.05, D = 0.05 }\n"
      "run = { record_every = 20, threads = 2 }\n");
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no Error";
}

void expect_says(const std::function<void()>& f, std::initializer_list<const char*> words) {
  const std::string message = message_of(f);
  for (const char* word : words)
    EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
}

class SolveTest : public testing::Test {
 protected:
  std::string folder(const std::string& name) const { return (root_ / name).string(); }
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("doc2s-solve-" + std::to_string(::getpid()));
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  fs::path root_;
};

TEST_F(SolveTest, BlackBoxRunsInZerothOrderAndSaysSo) {
  const auto problem = black_box(4, 3, away_from);
  const Result result = solve(problem, small());
  EXPECT_TRUE(result.status == "finished");
  EXPECT_EQ(result.summary.at("order"), "zeroth");
  EXPECT_EQ(result.summary.at("n"), 4);
  EXPECT_EQ(result.summary.at("evaluations"), 200);  // two values an iteration
  EXPECT_EQ(result.x.size(), 3u);
  EXPECT_EQ(result.outputs.size(), 12u);
  ASSERT_EQ(result.records.size(), 6u);  // 0, 20 … 100
  EXPECT_LT(result.records.back()["loss_mean_point"], result.records.front()["loss_mean_point"]);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("zeroth"), std::string::npos);
}

TEST_F(SolveTest, WritesFilesOnlyWhereAsked) {
  const Distances<double> problem;
  Options options = small();
  const Result without = solve(problem, options);
  EXPECT_TRUE(fs::is_empty(root_));
  options.set("run.directory", folder("run")).set("run.trace", folder("trace.jsonl"));
  const Result with = solve(problem, options);
  for (const char* name :
       {"config.toml", "setting.json", "metrics.jsonl", "summary.json", "output.npy", "last.npy"})
    EXPECT_TRUE(fs::exists(root_ / "run" / name)) << name;
  EXPECT_TRUE(fs::exists(root_ / "trace.jsonl"));
  EXPECT_EQ(with.summary.at("trajectory").text(), without.summary.at("trajectory").text());
  EXPECT_EQ(with.x, without.x);
  expect_says([&] { solve(problem, options); }, {"already holds a run"});
  options.set("run.force", true);
  EXPECT_TRUE(solve(problem, options).status == Status::finished);
}

TEST_F(SolveTest, SinglePrecisionComesFromTheProblem) {
  const Result result = solve(Distances<float>(), small());
  EXPECT_EQ(result.summary.at("precision"), "float32");
  expect_says([&] { solve(Distances<float>(), small().set("precision", "float64")); },
              {"precision", "float32"});
}

TEST_F(SolveTest, ConflictsWithTheProblemAreRefused) {
  const Distances<double> problem;
  expect_says([&] { solve(problem, small().set("clients.count", 5)); }, {"clients.count", "is 5", "is 4"});
  expect_says([&] { solve(problem, small().set("problem.name", "svm")); }, {"problem.name", "svm"});
  expect_says([&] { solve(problem, small().set("method.etta", 1)); }, {"etta", "eta"});
  expect_says([&] { solve(problem, small().set("run.resume", true)); }, {"run.directory"});
  expect_says([&] { solve(problem, small().set("run.force", 1)); }, {"run.force", "true or false"});
  EXPECT_EQ(solve(problem, small().set("clients.count", 4)).summary.at("n"), 4);
}

TEST_F(SolveTest, OptionsTakeEveryKindOfValue) {
  Options options = small();
  options.set("seed", 7u)
      .set("method.eta", 0.25F)
      .set("network.graph", std::string("ring"))
      .set("network.lazy", true);
  const Result result = solve(Distances<double>(), options);
  EXPECT_EQ(result.summary.at("seed"), 7);
  expect_says(
      [&] {
        solve(Distances<double>(), small().set("problem.batch", std::vector<int>{1, 2}));
      },
      {"batch"});
}

TEST_F(SolveTest, CallbackSeesEachRecordAndStops) {
  Options options = small();
  options.set("run.directory", folder("run"));
  std::vector<double> seen;
  options.on_record = [&](const Record& record) {
    seen.push_back(record["iteration"]);
    return seen.size() < 3;
  };
  const Distances<double> problem;
  const Result cut = solve(problem, options);
  EXPECT_EQ(seen, (std::vector<double>{0, 20, 40}));
  EXPECT_TRUE(cut.status == Status::interrupted);
  EXPECT_EQ(cut.summary.at("stopped_by"), "the callback");
  options.on_record = nullptr;
  options.set("run.resume", true);
  const Result whole = solve(problem, options);
  EXPECT_EQ(whole.records.size(), 6u) << "those before the stop too";
  EXPECT_EQ(whole.summary.at("trajectory").text(), solve(problem, small()).summary.at("trajectory").text());
}

TEST_F(SolveTest, ResumeBeginsWhereNothingIsThere) {
  Options options = small();
  options.set("run.directory", folder("run")).set("run.resume", true);
  const Result result = solve(Distances<double>(), options);
  EXPECT_TRUE(result.status == Status::finished);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes[0].find("holds no run yet"), std::string::npos);
}

TEST_F(SolveTest, ResumeOfWhatHasEndedReturnsIt) {
  Options options = small();
  options.set("run.directory", folder("run"));
  const Distances<double> problem;
  const Result whole = solve(problem, options);
  options.set("run.resume", true);
  int calls = 0;
  options.on_progress = [&](const Record&, double) { ++calls; };
  const Result again = solve(problem, options);
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(again.status == Status::finished);
  EXPECT_EQ(again.x, whole.x);
  EXPECT_EQ(again.outputs, whole.outputs);
  EXPECT_EQ(again.summary_json, whole.summary_json);
  EXPECT_EQ(again.config, whole.config);
  EXPECT_EQ(again.records.size(), whole.records.size());
  expect_says([&] { solve(problem, Options(options).set("method.eta", 0.123)); }, {"another config", "eta"});
  const Seen other([](double value) { return value + 1e-9; }, true);
  expect_says([&] { solve(other, options); }, {"holds a run of another function", "give another directory"});
}

TEST_F(SolveTest, ProgressGoesFromZeroToOne) {
  Options options = small();
  std::vector<double> shares;
  options.on_progress = [&](const Record& record, double share) {
    EXPECT_GE(record["iteration"], 0);
    shares.push_back(share);
  };
  solve(Distances<double>(), options);
  ASSERT_GE(shares.size(), 2u);
  EXPECT_EQ(shares.front(), 0);
  EXPECT_EQ(shares.back(), 1);
  EXPECT_TRUE(std::ranges::is_sorted(shares));
}

TEST_F(SolveTest, ExceptionsOfTheProblemComeOutAsTheyAre) {
  struct Broken {};
  const auto problem = black_box(4, 3, [](int, std::span<const double>) -> double { throw Broken(); });
  EXPECT_THROW(solve(problem, small()), Broken);
  Options options = small();
  options.on_record = [](const Record&) -> bool { throw std::runtime_error("mine"); };
  EXPECT_THROW(solve(black_box(4, 3, away_from), options), std::runtime_error);
}

// What was recorded before is kept.
TEST_F(SolveTest, NanInTheMiddleIsDivergence) {
  for (const bool first : {true, false}) {
    std::atomic<int> calls = 0;
    const Seen problem([&](double value) { return ++calls > 150 ? NAN : value; }, first);
    const Result result = solve(problem, small().set("run.directory", folder("nan")).set("run.force", true));
    EXPECT_TRUE(result.status == Status::diverged);
    ASSERT_GE(result.records.size(), 2u);
    EXPECT_TRUE(std::isfinite(result.records[1]["loss_mean_point"]));
    EXPECT_TRUE(fs::exists(folder("nan") + "/last.npy"));
  }
}

TEST_F(SolveTest, OneTwoAndThreeClients) {
  for (const MethodKind& kind : method_kinds())
    for (const int clients : {1, 2, 3}) {
      const Result result = solve(black_box(clients, 2, away_from),
                                  Options().set("run.budget.iterations", 20).set("method.name", kind.name));
      EXPECT_TRUE(result.status == Status::finished) << kind.name << ", " << clients;
    }
}

TEST_F(SolveTest, TwoAtOnce) {
  const Distances<double> problem;
  const std::string alone = solve(problem, small()).summary.at("trajectory");
  std::vector<std::string> hashes(4);
  std::vector<std::thread> threads;
  for (std::string& hash : hashes)
    threads.emplace_back([&] { hash = solve(problem, small()).summary.at("trajectory").text(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& hash : hashes) EXPECT_EQ(hash, alone);
}

TEST_F(SolveTest, StopFlagEndsTheRun) {
  std::atomic<bool> stop = true;
  Options options = small();
  options.stop = &stop;
  EXPECT_TRUE(solve(Distances<double>(), options).status == Status::interrupted);
}

TEST_F(SolveTest, WithoutAGradientWhatNeedsOneIsRefused) {
  const auto problem = black_box(4, 3, away_from);
  expect_says([&] { solve(problem, small().set("method.order", "first")); },
              {"method.order", "no gradient", "zeroth"});
  expect_says([&] { solve(problem, small().set("run.certify_every", 1)); }, {"no gradient", "certificate"});
  expect_says(
      [&] {
        solve(problem,
              small().set("method.parameters", "theory").set("method.delta", 0.5).set("method.epsilon", 0.5));
      },
      {"no gradient"});
}

TEST_F(SolveTest, MistakenBlackBoxes) {
  expect_says([] { black_box(0, 3, away_from); }, {"client"});
  expect_says([] { black_box(3, 0, away_from); }, {"dimension"});
  expect_says([] { black_box(3, 3, nullptr); }, {"function"});
}

// A gradient that is plainly wrong is refused before a first-order run, and before any bound.

TEST_F(SolveTest, WrongGradientsAreRefusedWithClientAndSize) {
  expect_says([] { solve(Distances<double>(0), small()); }, {"all zero", "client 0", "3 numbers", "zeroth"});
  expect_says([] { solve(Distances<double>(-1), small()); }, {"wrong sign"});
  expect_says([] { solve(Distances<double>(3), small()); }, {"not that of the value"});
  expect_says([] { solve(Distances<double>(NAN), small()); }, {"3 of 3 numbers", "not finite"});
  expect_says([] { solve(Distances<float>(-1), small()); }, {"wrong sign"});
  EXPECT_EQ(message_of([] { solve(Distances<double>(-1), small().set("problem.check_gradient", false)); }),
            "no Error");
}

TEST_F(SolveTest, NoFalseCertificate) {
  class Ignores : public Distances<double> {  // has_gradient() says yes, but nothing is filled in
    double value(int client, std::span<const Index> batch, std::span<const double> x,
                 std::span<double>) const override {
      return Distances<double>::value(client, batch, x, {});
    }
  };
  for (const char* order : {"first", "zeroth"}) {
    const auto options = small().set("method.order", order).set("run.certify_every", 1);
    expect_says([&] { solve(Ignores(), options); }, {"3 of 3 numbers of the gradient unset"});
    expect_says([&] { solve(Distances<double>(0), options); }, {"all zero"});
  }
}

TEST_F(SolveTest, ValuesThatDifferFromCallToCallAreNotChecked) {
  class Noisy : public Distances<double> {
    double value(int client, std::span<const Index> batch, std::span<const double> x,
                 std::span<double> gradient) const override {
      return Distances<double>::value(client, batch, x, gradient) + 1e-9 * static_cast<double>(++calls_);
    }
    mutable std::atomic<int> calls_ = 0;
  };
  const Result result = solve(Noisy(), small());
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("from call to call"), std::string::npos);
}

// Σ_j |x_j − a_j| with kinks at 200 places a coordinate: the subgradient must not be taken for a mistake.
TEST_F(SolveTest, KinksDoNotTripTheCheck) {
  class Kinked : public Distances<double> {
    double value(int client, std::span<const Index>, std::span<const double> x,
                 std::span<double> gradient) const override {
      double sum = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        double slope = 0;
        for (int k = 0; k < 200; ++k) {
          const double at = std::sin(k * 1.7 + client + static_cast<double>(j)) * 0.3;
          sum += std::abs(x[j] - at) / 200;
          slope += (x[j] > at ? 1.0 : -1.0) / 200;
        }
        if (!gradient.empty()) gradient[j] = slope;
      }
      return sum;
    }
  };
  for (int seed = 0; seed < 50; ++seed)
    EXPECT_EQ(message_of([&] { solve(Kinked(), small().set("seed", seed).set("run.budget.iterations", 1)); }),
              "no Error");
}

// Registered problems are made by name, from a config.

class RegisteredTest : public SolveTest {
 protected:
  static void SetUpTestSuite() {
    register_problem(
        "distances",
        [](const Settings& problem, int clients, std::uint64_t) -> std::unique_ptr<Problem<double>> {
          return std::make_unique<Distances<double>>(problem.real("factor"), clients);
        },
        {real_option("factor", 1.0, "of the gradient")});
  }
  static Config config(const std::string& more = "") {
    return parse_configs("problem = { name = \"distances\"" + more +
                             " }\nclients = { count = 4 }\nnetwork = { graph = \"complete\" }\n"
                             "method = { K = 4, T = 25, eta = 0.05, D = 0.05 }\n",
                         "test")
        .front();
  }
};

TEST_F(RegisteredTest, RunsWithTheHashOfSolve) {
  RunOptions options;
  options.directory = folder("run");
  const Summary summary = run(config(), options);
  EXPECT_EQ(summary.trajectory, solve(Distances<double>(), small()).summary.at("trajectory").text());
  expect_says([&] { run(config(", factor = -1"), options); }, {"wrong sign"});
}

TEST_F(RegisteredTest, MistakesAreRefused) {
  expect_says([] { config(", fctor = 2"); }, {"fctor", "factor"});
  expect_says([] { parse_configs("precision = \"float32\"\nproblem = { name = \"distances\" }", "test"); },
              {"no Error"});
  const auto nothing = [](const Settings&, int, std::uint64_t) { return std::unique_ptr<Problem<double>>(); };
  expect_says([&] { register_problem("distances", nothing); }, {"distances", "already"});
  expect_says([&] { register_problem("svm", nothing); }, {"svm", "already"});
  expect_says([&] { register_problem("other", nothing, {integer_option("batch", 1, "")}); }, {"batch"});
  register_problem("nothing", nothing);
  RunOptions options;
  options.directory = folder("run");
  expect_says([&] { run(parse_configs("problem = { name = \"nothing\" }", "test").front(), options); },
              {"made no problem"});
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(RegisteredTest, ProblemsOfSolveAreKnownToTheirProgramAlone) {
  RunOptions options;
  options.directory = folder("run");
  expect_says([&] { run(parse_configs("problem = { name = \"own\" }", "test").front(), options); },
              {"only the program", "register_problem"});
}

}  // namespace
}  // namespace doc2s
