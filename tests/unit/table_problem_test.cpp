// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
// Problems on tables: scaling, losses of numbers, what the clients agree on, and what is refused.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "data_testing.hpp"
#include "doc2s/base/random.hpp"
#include "problem_config.hpp"
#include "problems/losses.hpp"
#include "problems/mlp.hpp"
#include "problems/new_samples.hpp"
#include "problems/table_data.hpp"
#include "several_processes.hpp"

namespace doc2s {
namespace {

using data_testing::error_of, data_testing::says;
using testing::block_of, testing::ThreadProcesses;

constexpr int n = 3;
const std::string header = "width,length,weight,constant,kind\n";

class TableProblem : public data_testing::Scratch {
 protected:
  static Config config(const std::string& problem, const std::string& data, Changes more = {}) {
    return testing::problem_config(problem, data, n, std::move(more));
  }

  // The problem in each of `processes` processes; `look` sees what each of them made.
  template <class Real>
  static void make_in(int processes, const Config& config,
                      const std::function<void(MadeProblem<Real>&, ClientRange)>& look) {
    ThreadProcesses(processes).run([&](Processes& one) {
      const ClientRange here = block_of(one.rank(), processes, n);
      MadeProblem<Real> made = make_problem<Real>(config, here, one);
      look(made, here);
    });
  }

  template <class Real = double>
  static MadeProblem<Real> make_alone(const Config& config) {
    Processes alone;
    return make_problem<Real>(config, {0, n}, alone);
  }

  // Rows of three normal features, one that is always 0.1, and a target.
  static std::string rows(int count, std::uint64_t seed, const std::function<std::string(double)>& target) {
    std::vector<double> values(static_cast<std::size_t>(3 * count));
    Random(seed, Purpose::synthetic).normals(0, std::span(values));
    std::string text;
    for (int row = 0; row < count; ++row) {
      const double *v = values.data() + 3 * row, sum = v[0] + 2 * v[1];
      text += std::to_string(v[0]) + "," + std::to_string(100 + v[1]) + "," + std::to_string(1e-3 * v[2]) +
              ",0.1," + target(sum) + "\n";
    }
    return text;
  }

  static std::string name_of(double sum) { return sum > 0.5 ? "round" : sum < -0.5 ? "flat" : "none"; }
  static std::string sign_of(double sum) { return sum > 0 ? "yes" : "no"; }
  static std::string number_of(double sum) { return std::to_string(5 + sum); }

  Error refused(const Config& config) const {
    return error_of([&] { make_alone(config); });
  }
};

TEST_F(TableProblem, FeaturesGetMeanZeroAndDeviationOneOverAllClients) {
  const auto data = write("all.csv", header + rows(50, 1, name_of));
  const auto made = make_alone(config("mlp", data));
  const Preprocessing& how = made.preprocessing;
  EXPECT_EQ(how.columns, (std::vector<std::string>{"width", "length", "weight", "constant"}));
  EXPECT_EQ(how.classes, (std::vector<std::string>{"flat", "none", "round"}));
  EXPECT_EQ(how.label, "kind");
  const Table table = read_table(data, {});
  for (int j = 0; j < 3; ++j) {
    long double mean = 0, squares = 0;
    for (int row = 0; row < 50; ++row) mean += table.values[row * 4 + j] / 50.0L;
    for (int row = 0; row < 50; ++row) squares += std::pow(table.values[row * 4 + j] - mean, 2.0L);
    EXPECT_NEAR(how.mean[j], mean, 1e-13 * std::abs(static_cast<double>(mean)));
    EXPECT_NEAR(how.deviation[j], std::sqrt(squares / 50), 1e-13 * how.deviation[j]);
  }
  EXPECT_EQ(how.mean[3], 0.1);  // exactly, though 0.1 is no sum of binary fractions
  EXPECT_EQ(how.deviation[3], 1);
}

TEST_F(TableProblem, BitsDoNotDependOnTheProcesses) {
  for (int client = 0; client < n; ++client)
    write("site-" + std::to_string(client) + ".csv", header + rows(20 + client, 10 + client, name_of));
  for (const std::string& data :
       {write("all.csv", header + rows(60, 1, name_of)), path("site-{client}.csv")}) {
    const Config asked = config("mlp", data, {{"problem.hidden", "[4]", "test"}});
    const auto alone = make_alone(asked);
    std::vector<double> x(alone.problem->dimension());
    alone.problem->start(1, x);
    for (const int processes : {2, 3})
      make_in<double>(processes, asked, [&](MadeProblem<double>& made, ClientRange here) {
        EXPECT_EQ(preprocessing_text(made.preprocessing), preprocessing_text(alone.preprocessing));
        EXPECT_EQ(made.split.counts, alone.split.counts);
        for (int client = here.first; client < here.end(); ++client)
          EXPECT_EQ(made.problem->local_value(client, x), alone.problem->local_value(client, x));
      });
  }
}

TEST_F(TableProblem, SitesAgreeOnClassesAndTheOrderOfColumns) {
  write("site-0.csv", "a,b,t\n1,2,10\n2,1,9\n");
  write("site-1.csv", "b,a,t\n7,3,red\n8,5,9\n");
  write("site-2.csv", "a,b,t\n1,1,blue\n");
  const auto made = make_alone(config("mlp", path("site-{client}.csv"),
                                      {{"problem.scaling", "none", "test"},
                                       {"problem.hidden", "[]", "test"},
                                       {"problem.share_labels", "true", "test"}}));
  EXPECT_EQ(made.preprocessing.classes, (std::vector<std::string>{"9", "10", "blue", "red"}));
  EXPECT_EQ(made.split.labels, made.preprocessing.classes);
  EXPECT_EQ(made.split.counts, (std::vector<std::vector<Index>>{{1, 1, 0, 0}, {1, 0, 0, 1}, {0, 0, 1, 0}}));
  // softmax regression: only the row (a, b) = (3, 7) gives this value
  std::vector<double> x(made.problem->dimension());
  x[2 * 3] = 0.5, x[2 * 3 + 1] = 0.25;  // of the class red
  const double z = 0.5 * 3 + 0.25 * 7;
  EXPECT_NEAR(made.problem->value(1, std::vector<Index>{0}, x, {}),
              std::log(3 + std::exp(z)) - z + 1e-5 * 0.3125, 1e-12);
}

// What a process says to the others.
class Overheard : public Processes {
 public:
  std::string said;
  std::vector<std::string> gather(const std::string& mine) override {
    said += mine;
    return {mine};
  }
};

TEST_F(TableProblem, SitesTellNoExtremesAndNoCounts) {
  for (int client = 0; client < n; ++client)
    write("site-" + std::to_string(client) + ".csv", header + rows(20 + client, 10 + client, name_of));
  Overheard processes;
  make_problem<double>(config("mlp", path("site-{client}.csv")), {0, n}, processes);
  const auto was_said = [&](double number) {
    return processes.said.find(std::string(reinterpret_cast<const char*>(&number), sizeof number)) !=
           std::string::npos;
  };
  EXPECT_NE(processes.said.find(R"(20,[[0.0,0],[1.0,0],[2.0,0]],["width")"), std::string::npos)
      << processes.said.substr(0, 200);
  for (int client = 0; client < n; ++client) {
    const Table site = read_table(path("site-" + std::to_string(client) + ".csv"), {});
    for (Index k = 0; k < std::ssize(site.values); ++k)
      EXPECT_EQ(was_said(site.values[k]), k % 4 == 3) << k;  // the constant alone
  }
}

TEST_F(TableProblem, ASiteOfFewRowsIsScaledByTheOthers) {
  std::string others;
  for (int client = 0; client < n; ++client) {
    const std::string text = rows(client == 1 ? 9 : 10, 10 + client, name_of);
    write("site-" + std::to_string(client) + ".csv", header + text);
    if (client != 1) others += text;
  }
  const Config sites = config("mlp", path("site-{client}.csv"));
  const auto alone = make_alone(sites);
  Processes one;
  const auto expected =
      make_problem<double>(testing::problem_config("mlp", write("others.csv", header + others), 2,
                                                   {{"clients.partition", "contiguous", "test"}}),
                           {0, 2}, one);
  EXPECT_EQ(alone.preprocessing.mean, expected.preprocessing.mean);
  EXPECT_EQ(alone.preprocessing.deviation, expected.preprocessing.deviation);
  EXPECT_TRUE(says(Error(alone.notices.at(0)), "1 of the 3 clients has fewer than 10 rows"));
  make_in<double>(3, sites, [&](MadeProblem<double>& made, ClientRange) {
    EXPECT_EQ(preprocessing_text(made.preprocessing), preprocessing_text(alone.preprocessing));
  });
  const Error error =
      refused(config("mlp", path("site-{client}.csv"), {{"problem.least_rows", "11", "test"}}));
  EXPECT_TRUE(says(error, "problem.least_rows") && says(error, "no client has 11 rows")) << error.what();
}

// Every fourth width is missing, and at client 1 all but nine.
TEST_F(TableProblem, AMissingValueIsTheMeanOfTheClientsThatHaveEnough) {
  double sum = 0;
  int count = 0;
  for (int client = 0; client < n; ++client) {
    std::string text = header;
    for (int row = 0; row < 20; ++row) {
      const bool there = client == 1 ? row < 9 : row % 4 > 0;
      const double width = 10 * client + row;
      if (there && client != 1) sum += width, ++count;
      text += (there ? std::to_string(width) : "?") + "," + std::to_string(row) + ",1,2," +
              (row % 3 ? "a" : "b") + "\n";
    }
    write("site-" + std::to_string(client) + ".csv", text);
  }
  for (const char* scaling : {"standardise", "none"}) {
    const Config asked = config("mlp", path("site-{client}.csv"),
                                {{"problem.missing", "mean", "test"}, {"problem.scaling", scaling, "test"}});
    const auto alone = make_alone(asked);
    const Preprocessing& how = alone.preprocessing;
    EXPECT_NEAR(how.fill.at(0), sum / count, 1e-12);
    EXPECT_EQ(how.mean.empty(), scaling == std::string("none"));
    EXPECT_TRUE(how.mean.empty() || how.mean == how.fill);
    EXPECT_TRUE(
        says(Error(alone.notices.at(0)), "fills 21 cells of 60 rows; most of one column, 21, in \"width\""))
        << alone.notices[0];
    make_in<double>(3, asked, [&](MadeProblem<double>& made, ClientRange here) {
      EXPECT_EQ(preprocessing_text(made.preprocessing), preprocessing_text(how));
      EXPECT_EQ(made.local_notices.empty(), here.first == 0);
    });
    const NewSamples fresh =
        read_new_samples(write("new.csv", "extra,constant,weight,length,width\nx,2,1,7,?\n"),
                         parse_preprocessing(preprocessing_text(how), "p"));
    EXPECT_EQ(fresh.inputs.values.at(0), how.mean.empty() ? how.fill[0] : 0);
    EXPECT_TRUE(says(Error(fresh.notices.at(1)), "does not use the column extra")) << fresh.notices[1];
  }
  const Error gap =
      refused(config("mlp", path("site-{client}.csv"),
                     {{"problem.missing", "mean", "test"}, {"problem.least_rows", "16", "test"}}));
  EXPECT_TRUE(says(gap, "\"width\"") && says(gap, "16 values")) << gap.what();
}

TEST_F(TableProblem, ValidationIsAShareOfEachClientsRowsThatTrainingDoesNotSee) {
  std::string all;
  for (int client = 0; client < n; ++client) {
    const std::string text = rows(20 + 4 * client, 10 + client, sign_of);
    write("site-" + std::to_string(client) + ".csv", header + text);
    all += text;
  }
  const auto common = write("all.csv", header + all);
  for (const char* problem : {"mlp", "svm"})
    for (const std::string& data : {path("site-{client}.csv"), common}) {
      const Config plain = config(problem, data),
                   asked = config(problem, data, {{"problem.validation", "0.25", "test"}});
      const auto whole = make_alone(plain), alone = make_alone(asked);
      const std::vector<double> x(static_cast<std::size_t>(alone.problem->dimension()), 0.01);
      EXPECT_TRUE(whole.problem->validated(x).empty());
      const auto parts = alone.problem->validated(x);
      ASSERT_EQ(parts.size(), 3U);
      for (int client = 0; client < n; ++client) {
        const Index before = whole.problem->samples(client), held = static_cast<Index>(parts[client].rows);
        EXPECT_EQ(held, std::lround(0.25 * static_cast<double>(before)));
        EXPECT_EQ(alone.problem->samples(client), before - held);
        EXPECT_TRUE(parts[client].sum >= 0 && parts[client].sum <= parts[client].rows);
        std::set<Index> training, known;
        for (Index k = 0; k < before - held; ++k) training.insert(alone.problem->row(client, k));
        for (Index k = 0; k < before; ++k) known.insert(whole.problem->row(client, k));
        EXPECT_TRUE(std::ranges::includes(known, training));
      }
      EXPECT_NE(alone.preprocessing.mean, whole.preprocessing.mean);
      make_in<double>(3, asked, [&](MadeProblem<double>& made, ClientRange here) {
        EXPECT_EQ(preprocessing_text(made.preprocessing), preprocessing_text(alone.preprocessing));
        const auto mine = made.problem->validated(x);
        ASSERT_EQ(mine.size(), static_cast<std::size_t>(here.count));
        EXPECT_EQ(mine[0].rows, parts[here.first].rows);
        EXPECT_EQ(mine[0].sum, parts[here.first].sum);
      });
      const auto of_file =
          make_alone(config(problem, data, {{"problem.validation", '"' + common + '"', "test"}}));
      ASSERT_EQ(of_file.problem->validated(x).size(), 1U);
      EXPECT_EQ(of_file.problem->validated(x)[0].rows, 72);
      EXPECT_EQ(of_file.problem->samples(0), whole.problem->samples(0));
    }
  EXPECT_TRUE(says(refused(config("mlp", common, {{"problem.validation", "1.5", "test"}})), "not a share"));
  EXPECT_TRUE(says(refused(config("mlp", common,
                                  {{"problem.validation", '"' + common + '"', "test"},
                                   {"problem.test", '"' + common + '"', "test"}})),
                   "this is the test set"));
}

TEST_F(TableProblem, WhatAStrangerShouldKnowIsNoted) {
  std::string many = "id,a,t\n";
  for (int row = 0; row < 30; ++row)
    many += std::to_string(1000 - row) + "," + std::to_string(row % 7) + (row % 2 ? ",x\n" : ",y\n");
  write("site-0.csv", many);
  write("site-1.csv", "id;a;t\n5;1,5;z\n");
  write("site-2.csv", many);
  write("site-7.csv", many);
  std::string notes;
  for (const auto& note : make_alone(config("mlp", path("site-{client}.csv"))).notices) notes += note + "\n";
  for (const char* words :
       {"the column \"id\" has another whole number in every row", "problem.ignore = [\"id\"]",
        "semicolons separate the columns of site-1.csv, and numbers have decimal commas",
        "client 1 has one row", "the class \"z\" occurs at one client only (client 1)",
        "site-7.csv matches problem.data and is not used, since clients.count is 3"})
    EXPECT_NE(notes.find(words), std::string::npos) << words << " is not in\n" << notes;
  EXPECT_EQ(notes.find("column \"a\""), std::string::npos) << notes;
  const auto named =
      make_alone(config("mlp", path("{site-0,site-2,site-7}.csv"), {{"problem.ignore", "[\"id\"]", "test"}}));
  EXPECT_TRUE(named.notices.empty());
  EXPECT_EQ(named.preprocessing.columns, std::vector<std::string>{"a"});
  const Error wrong =
      refused(config("mlp", path("site-{client}.csv"), {{"problem.ignore", "[\"aa\"]", "test"}}));
  EXPECT_TRUE(says(wrong, "no file has the column \"aa\"") && says(wrong, "problem.ignore")) << wrong.what();
}

TEST_F(TableProblem, SitesWithOtherColumnsAreRefused) {
  write("site-0.csv", "a,b,t\n1,2,x\n2,1,y\n");
  write("site-1.csv", "a,c,t\n7,3,x\n");
  write("site-2.csv", "a,b,t\n1,1,y\n");
  const Error error = refused(config("mlp", path("site-{client}.csv")));
  EXPECT_TRUE(says(error, "site-1.csv") && says(error, "\"b\"") && says(error, "\"c\"")) << error.what();
}

TEST(NumberLosses, AreTheFormulas) {
  const LossRule mse{Loss::mse}, mae{Loss::mae}, huber{Loss::huber, 0.5};
  for (const double d : {-2.0, -0.5, -0.25, 0.0, 0.125, 0.5, 3.0}) {
    EXPECT_EQ(loss_of(mse, d).value, d * d);
    EXPECT_EQ(loss_of(mae, d).value, std::abs(d));
    EXPECT_EQ(loss_of(huber, d).value, std::abs(d) <= 0.5 ? 0.5 * d * d : 0.5 * (std::abs(d) - 0.25));
    for (const LossRule& rule : {mse, huber}) {
      const double h = 1e-6, slope = (loss_of(rule, d + h).value - loss_of(rule, d - h).value) / (2 * h);
      EXPECT_NEAR(loss_of(rule, d).slope, slope, 1e-6);
    }
    EXPECT_EQ(loss_of(mae, d).slope, d > 0 ? 1 : d < 0 ? -1 : 0);
  }
  EXPECT_TRUE(std::isnan(loss_of(mae, std::nan("")).slope));
}

TEST_F(TableProblem, GradientsOfRegressionAgreeWithCentralDifferences) {
  const auto data = write("all.csv", header + rows(40, 1, number_of));
  for (const char* loss : {"mse", "mae", "huber"})
    for (const char* hidden : {"[]", "[5]", "[6, 4]"}) {
      const auto made = make_alone(config("mlp", data,
                                          {{"problem.target", "number", "test"},
                                           {"problem.loss", loss, "test"},
                                           {"problem.hidden", hidden, "test"}}));
      const Problem<double>& problem = *made.problem;
      std::vector<double> x(problem.dimension()), g(x.size());
      problem.start(1, x);
      for (double& number : x) number += 0.01;
      problem.local_value(1, x, g);
      for (std::size_t j = 0; j < x.size(); ++j) {
        const double h = 1e-6, middle = std::exchange(x[j], x[j] + h), up = problem.local_value(1, x);
        x[j] = middle - h;
        const double down = problem.local_value(1, x);
        x[j] = middle;
        EXPECT_NEAR((up - down) / (2 * h), g[j], 1e-5 * std::max(1.0, std::abs(g[j]))) << loss << hidden << j;
      }
    }
}

TEST_F(TableProblem, AnSvmOnATableIsThatOnTheSameLibsvmText) {
  std::string csv = "a,b,kind\n", libsvm;
  for (int row = 0; row < 12; ++row) {
    const int a = row % 5, b = 7 - row;
    csv += std::to_string(a) + "," + std::to_string(b) + "," + (row % 3 ? "yes" : "no") + "\n";
    libsvm += std::string(row % 3 ? "1" : "-1") + (a ? " 1:" + std::to_string(a) : "") +
              (b ? " 2:" + std::to_string(b) : "") + "\n";
  }
  const auto table = make_alone(config("svm", write("a.csv", csv), {{"problem.scaling", "none", "test"}}));
  const auto sparse = make_alone(config("svm", write("a.svm", libsvm)));
  const std::vector<double> x{0.3, -0.2};
  std::vector<double> g(2), h(2);
  for (int client = 0; client < n; ++client) {
    EXPECT_EQ(table.problem->local_value(client, x, g), sparse.problem->local_value(client, x, h));
    EXPECT_EQ(g, h);
  }
  EXPECT_TRUE(says(Error(table.notices.front()), "\"no\" counts as -1 and \"yes\" as +1"));
}

TEST_F(TableProblem, LibsvmTextForANetworkIsPaddedWithZeros) {
  const std::string train = write("train.svm", "0 1:1\n1 2:1\n2 1:2 2:3\n"),
                    test = write("test.svm", "2 3:1\n");
  const auto made = make_alone(
      config("mlp", train, {{"problem.test", '"' + test + '"', "test"}, {"problem.hidden", "[]", "test"}}));
  EXPECT_EQ(made.problem->dimension(), 3 * 3 + 3);
  EXPECT_EQ(made.preprocessing.mean[2], 0);
  EXPECT_EQ(made.preprocessing.deviation[2], 1);
}

TEST_F(TableProblem, PartitionsByClassNeedClasses) {
  const auto data = write("all.csv", header + rows(60, 1, number_of));
  const Change number{"problem.target", "number", "test"};
  for (const char* partition : {"dirichlet", "labels"}) {
    const Error error = refused(config("mlp", data, {number, {"clients.partition", partition, "test"}}));
    EXPECT_TRUE(says(error, "numbers") && says(error, "clients.partition")) << error.what();
  }
  const auto made = make_alone(config("mlp", data, {number, {"clients.partition", "sorted", "test"}}));
  const Table table = read_table(data, {.target = TableRequest::Target::number});
  double largest = -1e9;
  for (int client = 0; client < n; ++client) {
    double own = -1e9;
    for (Index k = 0; k < made.problem->samples(client); ++k) {
      const double target = table.targets[made.problem->row(client, k)];
      EXPECT_GE(target, largest);
      own = std::max(own, target);
    }
    largest = own;
  }
}

TEST_F(TableProblem, MistakesAreToldInOneSentence) {
  const auto classes = write("c.csv", header + rows(60, 1, name_of));
  const auto signs = write("s.csv", header + rows(60, 1, sign_of));
  const auto numbers = write("n.csv", header + rows(60, 1, number_of));
  const auto libsvm = write("l.svm", "1 1:1\n-1 2:1\n1 1:2\n");
  const auto change = [](const std::string& key, const std::string& value) {
    return Change{"problem." + key, value, "test"};
  };
  const struct {
    Config config;
    std::vector<std::string> words;
  } table[] = {
      {config("svm", classes), {"two classes", "3", "mlp"}},
      {config("svm", numbers, {change("target", "number")}), {"problem.target", "mlp", "hidden = []"}},
      {config("svm", libsvm, {change("scaling", "standardise")}), {"problem.scaling", "tables"}},
      {config("mlp", classes, {change("target", "number")}), {"c.csv", "target"}},
      {config("mlp", classes, {change("label", "colour")}), {"c.csv", "colour"}},
      {config("mlp", classes, {change("label", "9")}), {"c.csv", "9"}},
      {config("mlp", numbers, {change("target", "number"), change("loss", "cross_entropy")}),
       {"problem.loss", "cross_entropy"}},
      {config("mlp", classes, {change("loss", "mae")}), {"problem.loss", "cross_entropy"}},
      {config("mlp", classes, {change("scaling", "unit")}), {"problem.scaling", "pixels"}},
      {config("mlp", signs, {change("test", '"' + classes + '"')}), {"c.csv", "\"flat\"", "no, yes"}},
      {config("mlp", "synthetic", {change("target", "number")}), {"problem.target", "tables"}},
  };
  for (const auto& [asked, words] : table) {
    const Error error = refused(asked);
    for (const auto& word : words) EXPECT_TRUE(says(error, word)) << word << ": " << error.what();
  }
}

TEST_F(TableProblem, PreprocessingIsReadAsItWasWritten) {
  const auto data = write("all.csv", header + rows(50, 1, name_of));
  const auto made = make_alone(config("mlp", data));
  const std::string text = preprocessing_text(made.preprocessing);
  EXPECT_EQ(preprocessing_text(parse_preprocessing(text, "p")), text);
  for (const char* damaged : {"", "[]", "{}", R"({"data": "table", "shape": [2], "columns": ["a"]})"})
    EXPECT_TRUE(says(error_of([&] { parse_preprocessing(damaged, "p.json"); }), "p.json")) << damaged;
}

TEST_F(TableProblem, NewRowsAreScaledByTheStoredNumbers) {
  Preprocessing how;
  how.problem = "mlp", how.data = "table", how.classes = {"no", "yes"}, how.shape = {2}, how.label = "t";
  how.columns = {"a", "b"}, how.mean = {1, 10}, how.deviation = {2, 5};
  const NewSamples labelled = read_new_samples(write("t.csv", "t,b,a\nyes,20,3\n"), how);
  EXPECT_EQ(labelled.inputs.values, (std::vector<double>{1, 2}));
  EXPECT_EQ(labelled.truth, (std::vector<double>{1}));
  const NewSamples plain = read_new_samples(write("p.csv", "a,b\n3,20\n1,10\n"), how);
  EXPECT_EQ(plain.inputs.values, (std::vector<double>{1, 2, 0, 0}));
  EXPECT_TRUE(plain.truth.empty());
  const auto refusal = [&](const std::string& head) {
    return error_of([&] { read_new_samples(write("q.csv", head + "\n3,20,no\n"), how); });
  };
  for (const auto& [head, column] :
       {std::pair("a,c,t", "\"b\""), std::pair("b,b,t", "two columns are named \"b\"")})
    EXPECT_TRUE(says(refusal(head), "q.csv") && says(refusal(head), column)) << refusal(head).what();
}

}  // namespace
}  // namespace doc2s
