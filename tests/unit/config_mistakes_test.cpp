// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "doc2s/base/error.hpp"
#include "doc2s/run/configs.hpp"

namespace doc2s {
namespace {

struct Mistake {
  std::string text;                // a config, or what follows --set
  std::string place;               // "line:column", or the beginning of it; "" where there is none
  std::vector<std::string> words;  // that the message has
};

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "no mistake was found";
}

void expect_words(const std::string& message, const std::vector<std::string>& words) {
  for (const auto& word : words)
    EXPECT_NE(message.find(word), std::string::npos) << "no `" << word << "` in: " << message;
}

void expect_refused(const std::vector<Mistake>& mistakes) {
  for (const auto& [text, place, words] : mistakes) {
    SCOPED_TRACE(text);
    const std::string message = message_of([&, &text = text] { parse_configs(text, "bad.toml"); });
    expect_words(message, {"bad.toml:" + place});
    expect_words(message, words);
  }
}

TEST(ConfigMistakes, Misspelt) {
  expect_refused({
      {"seed = 1\n[method]\netta = 1\n", "3:1", {"\"etta\"", "did you mean \"eta\""}},
      {"[method]\n  lr = 1\n", "2:3", {"\"lr\""}},
      {"[metod]\neta = 1\n", "2:1", {"[metod]", "did you mean \"method\""}},
      {"seed = 1\n[metod]\n", "2:", {"[metod]", "did you mean \"method\""}},
      {"sed = 1\n", "1:1", {"did you mean \"seed\""}},
      {"eta = 1\n", "1:1", {"method.eta"}},
      {"[run]\nbudget = { sample = 3 }\n", "2:", {"did you mean \"budget.samples\""}},
      {"[run]\nbudget = 5\n", "2:1", {"budget", "samples"}},
      {"method = 3\n", "1:1", {"method"}},
      {"[network]\ngraph = \"rinng\"\n", "2:1", {"\"rinng\"", "did you mean \"ring\""}},
      {"[network]\nweights = \"metropolys\"\n", "2:1", {"did you mean \"metropolis\""}},
      {"[method]\nname = \"docs\"\n", "2:1", {"did you mean \"doc2s\""}},
      {"[method]\norder = \"second\"\n", "2:1", {"first", "zeroth"}},
      {"[method]\nname = \"dgfm-plus\"\norder = \"first\"\n", "3:1", {"zeroth"}},
      {"precision = \"float16\"\n", "1:1", {"float32"}},
      {"[clients]\npartition = \"idd\"\n", "2:1", {"did you mean \"iid\""}},
      {"[problem]\nname = \"swm\"\n", "2:1", {"svm"}},
      {"[problem]\nwidht = 1\nname = \"of-another-program\"\n", "3:1", {"\"of-another-program\""}},
      {"\"a\\nb\" = 1\n", "1:1", {}},
      {"\"\" = 1\n", "1:1", {}},
  });
}

TEST(ConfigMistakes, Types) {
  expect_refused({
      {"[method]\neta = \"big\"\n", "2:1", {"method.eta", "\"big\"", "number"}},
      {"[method]\nK = 1.5\n", "2:1", {"method.K", "1.5", "whole"}},
      {"[method]\nK = true\n", "2:1", {"method.K", "true"}},
      {"[method]\nK = [1]\n", "2:1", {"method.K"}},
      {"[method]\nK = 2024-01-01\n", "2:1", {"method.K"}},
      {"[network]\nlazy = 1\n", "2:1", {"network.lazy", "true or false"}},
      {"[network]\ngraph = 3\n", "2:1", {"network.graph", "3"}},
      {"[[network]]\nlazy = true\n", "1:", {"network"}},
      {"[run]\nbudget = { samples = 1.5 }\n", "2:", {"samples"}},
  });
}

TEST(ConfigMistakes, Ranges) {
  expect_refused({
      {"seed = -1\n", "1:1", {"-1"}},
      {"[method]\neta = 0\n", "2:1", {"eta", "above 0"}},
      {"[method]\neta = -0.1\n", "2:1", {"eta", "-0.1"}},
      {"[method]\neta = nan\n", "2:1", {"eta", "nan"}},
      {"[method]\nD = inf\n", "2:1", {"D", "inf"}},
      {"[method]\nT = 0\n", "2:1", {"method.T"}},
      {"[method]\nR = 0\n", "2:1", {"method.R"}},
      {"[method]\nR = 4294967298\n", "2:1", {"method.R", "4294967298"}},
      {"[method]\nK = 4294967296\nT = 4294967296\n", "", {"method.K"}},
      {"[method]\nK = 3037000500\nT = 3037000500\n", "", {"method.K"}},
      {"[method]\ndelta_prime = -1\n", "2:1", {"delta_prime"}},
      {"[method]\ndirections = 0\n", "2:1", {"directions", "from 1 to 4096"}},
      {"[method]\nname = \"dsgd\"\nmomentum = 1\n", "3:1", {"momentum", "at least 0 and below 1"}},
      {"[method]\nname = \"dsgd\"\nmomentum = -0.1\n", "3:1", {"momentum"}},
      {"[method]\nname = \"dsgd\"\nlocal_steps = -1\n", "3:1", {"local_steps", "at least 0"}},
      {"[problem]\nbatch = 0\n", "2:1", {"batch"}},
      {"[problem]\nnoise = 0.6\n", "2:1", {"noise", "0.5"}},
      {"[problem]\nsparsity = 0\n", "2:1", {"sparsity"}},
      {"[clients]\ncount = 0\n", "2:1", {"clients.count", "0"}},
      {"[clients]\ncount = -3\n", "2:1", {"clients.count", "-3"}},
      {"[network]\nneighbours = 0\n", "2:1", {"neighbours"}},
      {"[network]\ngraph = \"erdos-renyi\"\np = 1.5\n", "3:1", {"p", "1.5"}},
      {"[run]\nrecord_every = 0\n", "2:1", {"record_every"}},
      {"[run]\nthreads = -1\n", "2:1", {"threads"}},
      {"[run]\nbudget = { samples = 0 }\n", "2:", {"samples"}},
      {"[run]\nbudget = { seconds = 0.0 }\n", "2:", {"seconds"}},
      {"[run]\ncertify_every = 0\n", "2:1", {"certify_every"}},
      {"[run]\ncertify_delta = 0\n", "2:1", {"certify_delta"}},
      {"[run]\ncertify_delta = -1\n", "2:1", {"certify_delta"}},
      {"[run]\ncertify_budget = 0\n", "2:1", {"certify_budget"}},
  });
}

TEST(ConfigMistakes, Toml) {
  expect_refused({
      {"seed = \n", "1:", {}},
      {"seed = 1\nseed = 2\n", "2:", {}},
      {"[method\nK = 1\n", "1:", {}},
      {"[method]\nK = 1\n[method]\nT = 1\n", "3:", {}},
      {"seed = 99999999999999999999\n", "1:", {"too large", "9223372036854775807"}},
      {"[method]\neta = 0,01\n", "2:", {"comma", "decimal point"}},
      {"seed 1\n", "1:", {}},
      {"[problem]\ndata = \"a9a\n", "2:", {}},
      {"[run]\nbudget = { samples = 4\n", "2:", {}},
      {"a = 1 b = 2\n", "1:", {}},
      {"seed = 01\n", "1:", {}},
      {"seed = 1\n\xff\xfe = 2\n", "", {}},
      {std::string("\0\0", 2), "1:", {}},
      {"<html>\n<p>\n", "1:", {}},
      {"{\"seed\": 1}\n", "1:", {}},
  });
}

TEST(ConfigMistakes, Utf16) {
  for (const char* mark : {"\xff\xfe", "\xfe\xff"})
    expect_words(message_of([&] { parse_configs(std::string(mark) + "s", "bad.toml"); }),
                 {"bad.toml: is a text in UTF-16", "save it as UTF-8"});
}

TEST(ConfigMistakes, WholeNumbersMayBeWrittenAsReals) {
  const Config config = parse_configs("[method]\nK = 4e1\n[problem]\nbatch = 1e3\n", "good.toml").front();
  EXPECT_EQ(config.method.integer("K"), 40);
  EXPECT_EQ(config.problem.integer("batch"), 1000);
}

TEST(ConfigMistakes, Changes) {
  const std::vector<Mistake> mistakes = {
      {"method.etta=1", "", {"did you mean \"eta\""}},
      {"method.eta=0,01", "", {"\"0,01\" is a text", "write a decimal point, 0.01", "a number above 0"}},
      {"method.K=99999999999999999999", "", {"99999999999999999999 is out of range", "whole number"}},
      {"method.K=1.5", "", {"1.5 is a number", "whole number"}},
      {"method.eta=fast", "", {"method.eta", "\"fast\""}},
      {"method.eta=", "", {"method.eta"}},
      {"nonsense=1", "", {"nonsense"}},
      {"method=3", "", {"method"}},
      {"method.eta=[1]", "", {"method.eta"}},
      {"run.budget={sample=3}", "", {"\"budget.samples\""}},
      {"seed=1\nprecision=2", "", {"seed"}},
      {"method.eta=-1", "", {"above 0"}},
      {"seed", "", {"--set seed", "key=value"}},
      {"=3", "", {"key=value"}},
  };
  for (const auto& mistake : mistakes) {
    SCOPED_TRACE(mistake.text);
    const std::string message =
        message_of([&] { parse_configs("", "small.toml", {change_from(mistake.text)}); });
    expect_words(message, {"--set"});
    expect_words(message, mistake.words);
  }
}

}  // namespace
}  // namespace doc2s
