// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
// What a process holds of the data, and what the processes agree on: one file for all, and one file a client.
#include <cmath>
#include <cstring>

#include "base/vectors.hpp"
#include "data/libsvm.hpp"
#include "data/synthetic.hpp"
#include "data_testing.hpp"
#include "doc2s/base/random.hpp"
#include "partition/sites.hpp"
#include "problem_config.hpp"
#include "problems/mlp.hpp"
#include "problems/svm.hpp"
#include "several_processes.hpp"

namespace doc2s {
namespace {

using data_testing::error_of, data_testing::says;
using testing::block_of, testing::ThreadProcesses;

constexpr int n = 5;

class Shards : public data_testing::Scratch {
 protected:
  static Config config(const std::string& problem, const std::string& data, Changes more = {}) {
    more.push_back({"problem.least_rows", "1", "test"});
    more.push_back({"problem.share_labels", "true", "test"});
    return testing::problem_config(problem, data, n, std::move(more));
  }

  template <class Real>
  static MadeProblem<Real> make(const Config& config, ClientRange here, Processes& processes) {
    return make_problem<Real>(config, here, processes);
  }

  template <class Real>
  static MadeProblem<Real> make_alone(const Config& config) {
    Processes alone;
    return make<Real>(config, {0, n}, alone);
  }

  // Lines of LIBSVM text with these labels.
  static std::string lines(const std::vector<double>& labels, int features, std::uint64_t seed) {
    std::vector<double> values(labels.size() * features);
    Random(seed, Purpose::synthetic).normals(0, std::span(values));
    std::string text;
    for (std::size_t row = 0; row < labels.size(); ++row) {
      text += std::to_string(labels[row]);
      for (int j = 0; j < features; ++j)
        if ((row + j) % 3)
          text += " " + std::to_string(j + 1) + ":" + std::to_string(values[row * features + j]);
      text += "\n";
    }
    return text;
  }

  // Client i has 4 + i samples; only the last knows the last feature.
  void write_sites(double negative, double positive) {
    for (int i = 0; i < n; ++i) {
      std::vector<double> labels(4 + i, negative);
      for (int k = 0; k <= i; ++k) labels[k] = positive;
      write("site-" + std::to_string(i) + ".svm", lines(labels, 6 + i, 10 + i));
    }
  }

  static std::string big_endian(std::uint32_t word) {
    return {static_cast<char>(word >> 24), static_cast<char>(word >> 16), static_cast<char>(word >> 8),
            static_cast<char>(word)};
  }

  static std::string idx_images(int count, int side, std::uint64_t seed) {
    std::string text = big_endian(2051) + big_endian(count) + big_endian(side) + big_endian(side);
    Random random(seed, Purpose::synthetic);
    for (int k = 0; k < count * side * side; ++k) text += static_cast<char>(random.below(256));
    return text;
  }

  static std::string idx_labels(const std::vector<int>& labels) {
    std::string text = big_endian(2049) + big_endian(static_cast<std::uint32_t>(labels.size()));
    for (const int label : labels) text += static_cast<char>(label);
    return text;
  }

  void write_image_site(int client, int side, const std::vector<int>& labels) {
    const std::string stem = "site-" + std::to_string(client);
    write(stem + "-images-idx3-ubyte", idx_images(static_cast<int>(labels.size()), side, 20 + client));
    write(stem + "-labels-idx1-ubyte", idx_labels(labels));
  }

  // Client i has 3 + i images, of the classes 0 and i.
  void write_image_sites() {
    for (int i = 0; i < n; ++i) {
      std::vector<int> labels(3 + i, 0);
      labels.back() = i;
      write_image_site(i, 4, labels);
    }
  }

  std::string image_pattern() const { return path("site-{client}-images-idx3-ubyte"); }
};

template <class Real>
std::vector<Real> some_point(Index dimension) {
  std::vector<Real> x(static_cast<std::size_t>(dimension));
  Random(5, Purpose::start).normals(0, std::span(x));
  for (Real& number : x) number *= Real(0.1);
  return x;
}

// Value and gradient of a client's samples, one by one, and where they stand in the file.
template <class Real>
std::vector<double> answers(const Problem<Real>& problem, int client) {
  const auto x = some_point<Real>(problem.dimension());
  std::vector<Real> g(x.size());
  std::vector<double> all;
  for (Index sample = 0; sample < problem.samples(client); ++sample) {
    all.push_back(problem.value(client, std::vector<Index>{sample}, x, g));
    all.insert(all.end(), g.begin(), g.end());
    all.push_back(static_cast<double>(problem.row(client, sample)));
  }
  return all;
}

template <class Real>
void expect_same_bits(const MadeProblem<Real>& part, const MadeProblem<Real>& whole, ClientRange here) {
  ASSERT_EQ(part.problem->clients(), n);
  ASSERT_EQ(part.problem->dimension(), whole.problem->dimension());
  EXPECT_EQ(part.facts, whole.facts);
  EXPECT_EQ(part.notices, whole.notices);
  EXPECT_EQ(part.split.labels, whole.split.labels);
  EXPECT_EQ(part.split.counts, whole.split.counts);
  Index held = 0;
  for (int client = 0; client < n; ++client) {
    if (here.contains(client)) {
      const auto expected = answers(*whole.problem, client), got = answers(*part.problem, client);
      ASSERT_EQ(got.size(), expected.size());
      EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(double)), 0) << client;
      held += whole.problem->samples(client);
    } else {
      EXPECT_EQ(part.problem->samples(client), 0);
    }
  }
  EXPECT_EQ(part.problem->held_samples(), held);
}

// Any number of processes makes of this config what one does, and each holds its own clients' samples alone.
template <class Real>
void expect_any_division(const Config& config, const MadeProblem<Real>& whole, auto make) {
  const auto x = some_point<Real>(whole.problem->dimension());
  for (int count = 1; count <= n; ++count) {
    std::vector<Index> held(count);
    ThreadProcesses(count).run([&](Processes& processes) {
      const ClientRange here = block_of(processes.rank(), count, n);
      const MadeProblem<Real> part = make(config, here, processes);
      expect_same_bits(part, whole, here);
      held[processes.rank()] = part.problem->held_samples();
      const double accuracy = part.problem->accuracy(x), expected = whole.problem->accuracy(x);
      if (processes.is_first() && !std::isnan(expected))
        EXPECT_EQ(accuracy, expected);
      else
        EXPECT_TRUE(std::isnan(accuracy));
    });
    Index sum = 0;
    for (const Index part : held) sum += part;
    EXPECT_EQ(sum, whole.problem->held_samples()) << count;
  }
}

#define EXPECT_ANY_DIVISION(Real, config)                     \
  expect_any_division<Real>(config, make_alone<Real>(config), \
                            [](auto&&... words) { return make<Real>(words...); })

TEST_F(Shards, OneSvmFileForAll) {
  std::vector<double> labels(41, 1);
  for (std::size_t row = 0; row < 17; ++row) labels[row] = 2;
  const Changes test = {{"problem.test", '"' + write("all.t", lines({1, 2, 2}, 30, 4)) + '"', "test"}};
  const std::string file = write("all.svm", lines(labels, 7, 3));
  for (const char* partition : {"iid", "contiguous", "dirichlet", "sorted"}) {
    Changes changes = test;
    changes.push_back({"clients.partition", partition, "test"});
    const Config config = this->config("svm", file, changes);
    EXPECT_EQ(make_alone<double>(config).problem->dimension(), 30);  // the test samples have more features
    EXPECT_ANY_DIVISION(double, config);
    EXPECT_ANY_DIVISION(float, config);
  }
}

TEST_F(Shards, SyntheticSamples) {
  EXPECT_ANY_DIVISION(double, config("svm", "synthetic", {{"problem.size", "83", "test"}}));
  for (const char* scaling : {"unit", "standardise"})
    EXPECT_ANY_DIVISION(
        float,
        config("mlp", "synthetic", {{"problem.size", "83", "test"}, {"problem.scaling", scaling, "test"}}));
}

TEST_F(Shards, ARowThatIsNotKeptHasItsLabelAlone) {
  const std::string file = write("all.svm", "+1 1:1 9:2\n-1 2:3\n+1 3:4 4:5\n");
  const Samples samples = read_libsvm(file, 0, [](Index row) { return row == 2; });
  EXPECT_EQ(samples.dimension, 9);
  EXPECT_EQ(samples.labels, (std::vector<double>{1, -1, 1}));
  EXPECT_EQ(samples.offsets, (std::vector<Index>{0, 0, 0, 2}));
  EXPECT_EQ(samples.columns, (std::vector<std::int32_t>{2, 3}));
  EXPECT_EQ(samples.values, (std::vector<double>{4, 5}));
  const Samples all = make_synthetic({20, 10, 0.3, 0.1}, 3);
  const Samples some = make_synthetic({20, 10, 0.3, 0.1}, 3, [](Index row) { return row >= 18; });
  EXPECT_EQ(some.labels, all.labels);
  EXPECT_EQ(some.values, std::vector<double>(all.values.end() - 6, all.values.end()));
  EXPECT_EQ(some.columns, std::vector<std::int32_t>(all.columns.end() - 6, all.columns.end()));
}

TEST_F(Shards, ForeignImagesAreLetGo) {
  Images train, test;
  make_blobs({40, 9, 3, 0.3}, 1, train, test);
  const HeldInputs held = hold(train, {{5, 7}, {0, 39}, {6}}, {1, 2}, false);
  EXPECT_EQ(held.inputs.count(), 3);
  EXPECT_EQ(held.inputs.pixels.capacity(), 27u);
  EXPECT_EQ(held.shares, (Shares{{}, {0, 2}, {1}}));
  EXPECT_EQ(held.rows, (Shares{{}, {0, 39}, {6}}));
  EXPECT_TRUE(std::equal(held.inputs.pixels.begin() + 9, held.inputs.pixels.begin() + 18,
                         train.pixels.begin() + 6 * 9));
  EXPECT_EQ(held.inputs.labels, (std::vector<int>{train.labels[0], train.labels[6], train.labels[39]}));
}

TEST_F(Shards, ProcessesThatReadOtherFilesAreFoundOut) {
  const Config one = config("svm", write("a.svm", lines({1, -1, 1, -1, 1, 1}, 3, 1))),
               other = config("svm", write("b.svm", lines({1, -1, 1, -1, -1, 1}, 3, 1)));
  const Error error = error_of([&] {
    ThreadProcesses(2).run([&](Processes& processes) {
      make<double>(processes.is_first() ? one : other, block_of(processes.rank(), 2, n), processes);
    });
  });
  EXPECT_TRUE(says(error, "process 1 read 6 samples of 3 features")) << error.what();
}

TEST_F(Shards, OneSvmFileAClient) {
  write_sites(0, 1);
  write("test.svm", "0 40:1\n1 2:1\n");
  const std::string pattern = path("site-{client}.svm");
  const Config config =
      this->config("svm", pattern, {{"problem.test", '"' + path("test.svm") + '"', "test"}});
  const auto whole = make_alone<double>(config);
  EXPECT_EQ(whole.problem->dimension(), 40);
  EXPECT_EQ(whole.problem->held_samples(), 4 + 5 + 6 + 7 + 8);
  EXPECT_EQ(whole.problem->row(3, 6), 6);  // counted in the client's own file
  EXPECT_EQ(std::get<std::string>(whole.facts[0].second), pattern);
  EXPECT_DOUBLE_EQ(std::get<double>(whole.facts[1].second), 1e-5 / 30);
  EXPECT_EQ(whole.split.labels, (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(whole.split.counts[1], (std::vector<Index>{3, 2}));
  EXPECT_EQ(whole.notices, (std::vector<std::string>{"labels 0/1 were mapped to -1/+1"}));
  EXPECT_ANY_DIVISION(double, config);
  EXPECT_ANY_DIVISION(float, config);
}

// The same samples in one file, dealt in its order, are the same problem.
TEST_F(Shards, SitesAreTheSameProblemAsOneFileOfThem) {
  std::string all;
  for (int i = 0; i < n; ++i) {
    const std::string text = lines({1, -1, 1, 1}, 6, 30 + i);
    write("site-" + std::to_string(i) + ".svm", text);
    all += text;
  }
  const auto sites = make_alone<double>(config("svm", path("site-{client}.svm")));
  const auto together =
      make_alone<double>(config("svm", write("all.svm", all), {{"clients.partition", "contiguous", "test"}}));
  const auto x = some_point<double>(6);
  for (int client = 0; client < n; ++client)
    EXPECT_EQ(sites.problem->local_value(client, x), together.problem->local_value(client, x));
  EXPECT_EQ(sites.split.counts, together.split.counts);
  EXPECT_EQ(sites.facts[1], together.facts[1]);
}

TEST_F(Shards, ASiteMayHaveOneLabelAlone) {
  write_sites(1, 2);
  write("site-0.svm", lines({1, 1, 1}, 3, 1));  // would be +1 if it were alone
  const Config config = this->config("svm", path("site-{client}.svm"));
  EXPECT_EQ(make_alone<double>(config).split.counts[0], (std::vector<Index>{3, 0}));
  EXPECT_ANY_DIVISION(double, config);
}

TEST_F(Shards, APartitionHasNoSayOverSites) {
  write_sites(-1, 1);
  const auto made = make_alone<double>(
      config("svm", path("site-{client}.svm"), {{"clients.partition", "dirichlet", "the test"}}));
  ASSERT_EQ(made.notices.size(), 1u);
  EXPECT_NE(made.notices[0].find("clients.partition is ignored"), std::string::npos) << made.notices[0];
  EXPECT_EQ(made.split.counts[4], (std::vector<Index>{3, 5}));
}

TEST_F(Shards, OneImageFileAClient) {
  write_image_sites();
  write("t-images-idx3-ubyte", idx_images(3, 4, 1));
  write("t-labels-idx1-ubyte", idx_labels({0, 1, 4}));
  for (const char* scaling : {"unit", "standardise"}) {
    const Config config = this->config("mlp", image_pattern(),
                                       {{"problem.scaling", scaling, "test"},
                                        {"problem.hidden", "\"6\"", "test"},
                                        {"problem.test", '"' + path("t-images-idx3-ubyte") + '"', "test"}});
    const auto whole = make_alone<double>(config);
    EXPECT_EQ(whole.problem->dimension(), 16 * 6 + 6 + 6 * 5 + 5);
    EXPECT_EQ(whole.problem->held_samples(), 3 + 4 + 5 + 6 + 7);
    EXPECT_EQ(whole.split.labels, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
    EXPECT_EQ(whole.split.counts[2], (std::vector<Index>{4, 0, 1, 0, 0}));
    EXPECT_ANY_DIVISION(double, config);
    EXPECT_ANY_DIVISION(float, config);
  }
}

// 3, 4, 5, 6, 7 images
TEST_F(Shards, PixelsOfSmallSitesAreNotSummed) {
  write_image_sites();
  const auto with = [&](const char* least_rows) {
    return testing::problem_config(
        "mlp", image_pattern(), n,
        {{"problem.scaling", "standardise", "test"}, {"problem.least_rows", least_rows, "test"}});
  };
  const auto whole = make_alone<double>(with("6"));
  EXPECT_EQ(whole.preprocessing.pixels.count, 6u + 7u);
  EXPECT_TRUE(whole.split.counts.empty());
  ASSERT_EQ(whole.notices.size(), 2u);
  EXPECT_NE(whole.notices[0].find("3 of the 5 clients have fewer than 6 rows"), std::string::npos);
  EXPECT_NE(whole.notices[1].find("at one client only"), std::string::npos);
  EXPECT_ANY_DIVISION(double, with("6"));
  EXPECT_TRUE(says(error_of([&] { make_alone<double>(with("8")); }), "no client has 8 rows"));
}

TEST_F(Shards, OneFolderOfImagesAClient) {
  for (int i = 0; i < n; ++i) {
    const std::string folder = "client " + std::to_string(i) + "/";
    write(folder + "train-images-idx3-ubyte", idx_images(3 + i, 5, i));
    write(folder + "train-labels-idx1-ubyte", idx_labels(std::vector<int>(3 + i, i)));
  }
  const Config config = this->config("mlp", path("client {client}"), {{"problem.hidden", "\"\"", "test"}});
  const auto whole = make_alone<float>(config);
  EXPECT_EQ(whole.problem->dimension(), 25 * 10 + 10);
  ASSERT_EQ(whole.notices.size(), 1u);  // that a client has no test images is no news
  EXPECT_NE(whole.notices[0].find("at one client only"), std::string::npos);
  EXPECT_ANY_DIVISION(float, config);
}

TEST_F(Shards, PathsOfSites) {
  EXPECT_TRUE(is_site_pattern("a/{client}"));
  EXPECT_FALSE(is_site_pattern("a/client"));
  EXPECT_EQ(site_path("/data/{client}/x-{client}.svm", 12), "/data/12/x-12.svm");
}

// As any other path of a config: from its folder too, and absolute in what is written.
TEST_F(Shards, ARelativePatternMayStartAtTheConfig) {
  write("sub/site-3.svm", "1 1:1\n");  // a machine need not have all clients' files
  const std::string file = write("run.toml", "[problem]\ndata = \"sub/site-{client}.svm\"\n");
  EXPECT_EQ(read_configs(file).front().problem.text("data"), path("sub/site-{client}.svm"));
  std::filesystem::remove(path("sub/site-3.svm"));
  EXPECT_EQ(read_configs(file).front().problem.text("data"), "sub/site-{client}.svm");
}

class BadSites : public Shards {
 protected:
  // In one process and in three, in which the message of whoever found it is the one that is told.
  void expect_refused(const Config& config, const std::vector<std::string>& words) {
    for (const int count : {1, 3}) {
      const Error error = error_of([&] {
        ThreadProcesses(count).run([&](Processes& processes) {
          make<float>(config, block_of(processes.rank(), count, n), processes);
        });
      });
      for (const auto& word : words) EXPECT_TRUE(says(error, word)) << word << " | " << error.what();
      EXPECT_EQ(error.exit_code(), 2);
    }
  }
  Config svm() const { return config("svm", path("site-{client}.svm")); }
};

TEST_F(BadSites, AFileThatIsMissing) {
  write_sites(-1, 1);
  std::filesystem::remove(path("site-3.svm"));
  expect_refused(svm(), {"client 3 has no data", path("site-3.svm"), "counted from 0"});
}

TEST_F(BadSites, AnEmptyFile) {
  write_sites(-1, 1);
  write("site-4.svm", "");
  expect_refused(svm(), {path("site-4.svm"), "no samples"});
}

TEST_F(BadSites, ADamagedLine) {
  write_sites(-1, 1);
  write("site-2.svm", "+1 1:1\n-1 2:x\n");
  expect_refused(svm(), {path("site-2.svm") + ":2", "\"x\""});
}

TEST_F(BadSites, LabelsThatFitNoPair) {
  write_sites(-1, 1);
  write("site-2.svm", "+1 1:1\n3 2:1\n");
  expect_refused(svm(), {path("site-2.svm"), "label 3 of sample 2"});
}

TEST_F(BadSites, ALabelThatOnlyOneSiteHas) {
  write_sites(-1, 1);
  write("site-0.svm", "1 1:1\n2 2:1\n2 2:3\n");
  expect_refused(svm(),
                 {path("site-0.svm"), "client 0 has the label 2", "4 of the 5 clients have only -1/+1"});
}

TEST_F(BadSites, AValueBeyondTheRunsPrecision) {
  write_sites(-1, 1);
  write("site-3.svm", "+1 1:1\n-1 2:1e200\n");
  expect_refused(svm(), {"sample 2 (client 3) has the value 1e+200", "beyond float32"});
}

TEST_F(BadSites, ATestLabelOfAnotherPair) {
  write_sites(-1, 1);
  const Changes test = {{"problem.test", '"' + write("t.svm", "0 1:1\n") + '"', "test"}};
  expect_refused(config("svm", path("site-{client}.svm"), test), {path("t.svm"), "label 0 of sample 1"});
}

TEST_F(BadSites, ImagesOfAnotherShape) {
  write_image_sites();
  write_image_site(3, 5, {0, 1, 2});
  expect_refused(config("mlp", image_pattern()),
                 {"client 3", "5x5", "client 0", "4x4", path("site-3-images")});
}

TEST_F(BadSites, ImagesThatAreMissingOrCutShort) {
  write_image_sites();
  write("site-1-images-idx3-ubyte", idx_images(3, 4, 1).substr(0, 40));
  expect_refused(config("mlp", image_pattern()), {path("site-1-images-idx3-ubyte"), "truncated"});
  std::filesystem::remove(path("site-1-images-idx3-ubyte"));
  expect_refused(config("mlp", image_pattern()), {"client 1 has no data"});
}

}  // namespace
}  // namespace doc2s
