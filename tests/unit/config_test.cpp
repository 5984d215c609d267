// SPDX-License-Identifier: Apache-2.0
#include "config/toml_ascii.hpp"

#include <gtest/gtest.h>

#include "base/json.hpp"
#include "config/config_difference.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/configs.hpp"
#include "run/known_options.hpp"

namespace doc2s {
namespace {

std::string mistake_in(const std::string& text, const Changes& changes = {}) {
  try {
    parse_configs(text, "run.toml", changes);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "no mistake was found";
}

TEST(Config, AnEmptyOneHasAllFallbacks) {
  const Config config = parse_configs("", "run.toml").front();
  EXPECT_EQ(config.seed(), 1u);
  EXPECT_EQ(config.method.integer("R"), 2);
  EXPECT_EQ(config.network.text("graph"), "ring");
  EXPECT_FALSE(config.run.has("budget.samples"));
  ASSERT_EQ(config.notices.size(), 1u);
  EXPECT_EQ(config.notices[0], "run.toml is empty, so every key has its default: the data is synthetic");
  EXPECT_TRUE(default_config().notices.empty());
}

TEST(Config, MistakesAreToldWithTheirPlace) {
  EXPECT_EQ(mistake_in("seed = 1\n[method]\netta = 1"),
            "run.toml:3:1: unknown key \"etta\" in [method]; did you mean \"eta\"?");
  EXPECT_EQ(mistake_in("[metod]\neta = 1"),
            "run.toml:2:1: unknown section [metod]; did you mean \"method\"?");
  EXPECT_EQ(mistake_in("eta = 1"), "run.toml:1:1: unknown key \"eta\"; did you mean \"method.eta\"?");
  EXPECT_EQ(mistake_in("[method]\neta = \"big\""),
            "run.toml:2:1: method.eta: \"big\" is a text; it must be a number above 0");
  EXPECT_EQ(mistake_in("[method]\nT = 2.5"),
            "run.toml:2:1: method.T: 2.5 is a number; it must be a whole number from 1 to 1000000000");
  EXPECT_EQ(mistake_in("[clients]\ncount = 0"),
            "run.toml:2:1: clients.count: 0 is out of range; it must be a whole number from 1 to 1048576");
  EXPECT_EQ(mistake_in("", {{"method.D", "-1", "--set method.D=-1"}}),
            "--set method.D=-1: method.D: -1 is out of range; it must be a number above 0");
  EXPECT_NE(mistake_in("[method]\neta = [1, 2]").find("run.toml:2:1"), std::string::npos);
  EXPECT_NE(mistake_in("seed = 1\nseed = 2").find("run.toml:2:"), std::string::npos);
  EXPECT_NE(mistake_in("[method\n").find("run.toml:1:"), std::string::npos);
  EXPECT_NE(mistake_in("[network]\ngraph = \"rign\"").find("did you mean \"ring\"?"), std::string::npos);
}

TEST(Config, ChangesComeAfterTheFile) {
  const Config config =
      parse_configs("[method]\neta = 0.5", "run.toml",
                    {change_from("method.eta=0.25"), change_from("run.budget={samples=7, seconds=2}"),
                     change_from("problem.data=synthetic")})
          .front();
  EXPECT_EQ(config.method.real("eta"), 0.25);
  EXPECT_EQ(config.run.integer("budget.samples"), 7);
  EXPECT_EQ(config.run.real("budget.seconds"), 2);
  EXPECT_THROW(change_from("eta"), Error);
}

TEST(Config, AKeyOfAnotherGraphIsLeftAsideAndSaidSo) {
  const Config config = parse_configs("[network]\ngraph = \"torus\"\nneighbours = 5", "run.toml").front();
  ASSERT_EQ(config.notices.size(), 1u);
  EXPECT_NE(config.notices[0].find("network.neighbours"), std::string::npos);
  EXPECT_NE(config.notices[0].find("network.graph = \"ring\""), std::string::npos);
  EXPECT_FALSE(config.network.has("neighbours"));
}

TEST(Config, AsWrittenIsTheSameConfig) {
  const Config config =
      parse_configs(
          "seed = 9\n[network]\ngraph = \"regular\"\ndegree = 4\n[method]\neta = 1e-7\n"
          "[run]\nbudget = { seconds = 1.5 }\n[clients]\npartition = \"dirichlet\"\nalpha = 0.1",
          "run.toml")
          .front();
  const std::string text = written(config);
  EXPECT_EQ(written(parse_configs(text, "again.toml").front()), text);
  EXPECT_NE(text.find("eta = 1e-07"), std::string::npos);
  EXPECT_EQ(text.find("neighbours ="), std::string::npos);
}

TEST(Config, SeveralMethodsAreSeveralConfigs) {
  const auto configs = parse_configs(
      "seed = 3\n[[method]]\nname = \"doc2s\"\nR = 4\n[[method]]\nname = \"me-dol\"\n[[method]]\nname = "
      "\"doc2s\"\n",
      "run.toml", {change_from("method.eta=0.5")});
  ASSERT_EQ(configs.size(), 3u);
  EXPECT_EQ(configs[0].method.integer("R"), 4);
  EXPECT_EQ(configs[2].method.integer("R"), 2);
  EXPECT_FALSE(configs[1].method.has("R"));
  EXPECT_EQ(configs[2].method.text("label"), "doc2s-2");
  for (const auto& config : configs) {
    EXPECT_EQ(config.seed(), 3u);
    EXPECT_EQ(config.method.real("eta"), 0.5);
  }
  EXPECT_NE(mistake_in("[[method]]\nname = \"doc2s\"\n[[method]]\netta = 1").find("run.toml:4:1"),
            std::string::npos);
  EXPECT_NE(mistake_in("[[run]]\nthreads = 1").find("run.toml:1:"), std::string::npos);
}

TEST(Config, DgfmOnGradientsIsCalledGradientTracking) {
  const auto label = [](const std::string& more) {
    return parse_configs("[method]\nname = \"dgfm\"\n" + more, "run.toml").front().method.text("label");
  };
  EXPECT_EQ(label(""), "dgfm");
  EXPECT_EQ(label("order = \"first\"\n"), "gradient tracking");
  EXPECT_EQ(label("order = \"first\"\nlabel = \"mine\"\n"), "mine");
}

TEST(Config, EveryOptionHasAHelpAndAFallbackThatFits) {
  for (const auto& known : known_options()) {
    EXPECT_FALSE(known.option.help.empty()) << known.key();
    if (!known.option.fallback) continue;
    EXPECT_EQ(known.option.checked(*known.option.fallback, ""), *known.option.fallback) << known.key();
  }
}

Config parsed(const std::string& text, const Changes& changes = {}) {
  return parse_configs(text, "run.toml", changes).front();
}

TEST(Config, AListIsAListATextOrANumber) {
  const auto hidden = [](const std::string& value) {
    const Config config = parsed("[problem]\nname = \"mlp\"\nhidden = " + value);
    EXPECT_EQ(parsed(written(config)).problem.list("hidden"), config.problem.list("hidden")) << value;
    return config.problem.list("hidden");
  };
  EXPECT_EQ(hidden("[256, 128]"), (List{256, 128}));
  EXPECT_EQ(hidden("[]"), List{});
  EXPECT_EQ(hidden("\"256\""), List{256});
  EXPECT_EQ(hidden("\" 256, 128 ,7\""), (List{256, 128, 7}));
  EXPECT_EQ(hidden("\"\""), List{});
  EXPECT_EQ(hidden("7"), List{7});
  const Changes mlp = {change_from("problem.name=mlp")};
  EXPECT_NE(written(parsed("", mlp)).find("\nhidden = [256] "), std::string::npos);
  for (const auto& [given, list] : std::vector<std::pair<std::string, List>>{
           {"32", {32}}, {"32,16", {32, 16}}, {"[32, 16]", {32, 16}}, {"[]", {}}}) {
    Changes changes = mlp;
    changes.push_back(change_from("problem.hidden=" + given));
    EXPECT_EQ(parsed("", changes).problem.list("hidden"), list) << given;
  }
  EXPECT_EQ(to_json(Value(List{256, 128})), "\"256,128\"");
}

TEST(Config, WrongListsAreToldWithTheirPlace) {
  const auto mistake = [](const std::string& value) {
    return mistake_in("[problem]\nname = \"mlp\"\nhidden = " + value);
  };
  EXPECT_EQ(mistake("[\"a\"]"),
            "run.toml:3:1: the list \"problem.hidden\" holds a value of type string; "
            "a list holds whole numbers, such as [256, 128]");
  EXPECT_NE(mistake("[[1]]").find("run.toml:3:1: the list \"problem.hidden\" holds a value of type array"),
            std::string::npos);
  EXPECT_NE(mistake("[1.5]").find("run.toml:3:1"), std::string::npos);
  EXPECT_EQ(mistake("[4, -3]"),
            "run.toml:3:1: problem.hidden: -3 is out of range; "
            "it must be a list of whole numbers from 1 to 1000000");
  EXPECT_EQ(mistake("true"),
            "run.toml:3:1: problem.hidden: true is true or false; "
            "it must be a list of whole numbers from 1 to 1000000");
  EXPECT_EQ(mistake("\"12,x\""),
            "run.toml:3:1: problem.hidden: \"x\" in \"12,x\" is not a whole number; "
            "write a list, such as [256, 128]");
  for (const char* text : {"12,", ",12", "12;13", "1.5", "12 13", "x", ",", "1,,2"})
    EXPECT_NE(mistake(json(std::string(text))).find("is not a whole number"), std::string::npos) << text;
  for (const char* text : {"0", "-3", "256,0", "1000001", "99999999999999999999"})
    EXPECT_NE(mistake(json(std::string(text))).find("out of range"), std::string::npos) << text;
  EXPECT_EQ(mistake_in("[method]\neta = [1, 2]"),
            "run.toml:2:1: method.eta: [1, 2] is a list; it must be a number above 0");
}

TEST(Config, SomeFallbacksComeFromTheRest) {
  EXPECT_EQ(parsed("[network]\ngraph = \"torus\"\n[clients]\ncount = 24").network.integer("rows"), 4);
  EXPECT_FALSE(parsed("[network]\ngraph = \"grid\"\n[clients]\ncount = 7").network.has("rows"));
  EXPECT_EQ(parsed("[network]\ngraph = \"erdos-renyi\"\n[clients]\ncount = 1").network.real("p"), 1);
  EXPECT_EQ(parsed("[network]\nweights = \"file\"").network.text("graph"), "file");
  EXPECT_EQ(parsed("[network]\nweights = \"file\"\ngraph = \"path\"").network.text("graph"), "path");
  EXPECT_EQ(parsed("clients.count = 2").network.text("graph"), "complete");
  EXPECT_EQ(parsed("clients.count = 3").network.text("graph"), "ring");
  EXPECT_EQ(parsed("clients.count = 2\nnetwork.graph = \"ring\"").network.text("graph"), "ring");
  EXPECT_FALSE(parsed("").run.has("certify_delta"));
  const Config certified = parsed("[run]\ncertify_every = 2\ncertify_delta = 0.5");
  EXPECT_EQ(certified.run.real("certify_delta"), 0.5);
  EXPECT_EQ(certified.run.integer("certify_budget"), 60);
}

TEST(Config, AProgramMayHaveOptionsOfItsOwn) {
  const Schema schema = {{"method", text_option("name", "mine", "")},
                         {"method", integer_option("rounds", 3, "").at_least(1)},
                         {"run", integer_option("twice", {}, "").derived_by([](const Config& config) {
                            return Value(2 * config.method.integer("rounds"));
                          })}};
  const Config config = resolved(schema, "[method]\nrounds = 4", "own.toml", {}).front();
  EXPECT_EQ(config.run.integer("twice"), 8);
  EXPECT_NE(written(config).find("twice = 8"), std::string::npos);
  EXPECT_THROW(resolved(schema, "[method]\neta = 4", "own.toml", {}), Error);
}

TEST(Config, MachinesMayDifferInPathsAndThreads) {
  const auto same = [](const std::string& text) { return same_on_all_machines(parsed(text)); };
  const std::string one = same("[problem]\ndata = \"/one/a.svm\"");
  EXPECT_EQ(one, same("[problem]\ndata = \"/two/a.svm\"\n[run]\nthreads = 3"));
  EXPECT_NE(one, same("[problem]\ndata = \"/one/a.svm\"\n[method]\neta = 0.5"));
  EXPECT_NE(same("[problem]\nsize = 40"), same("[problem]\nsize = 50"));
}

TEST(Toml, BecomesAscii) {
  const auto ascii = [](const std::string& text) { return ascii_toml(text, "run.toml"); };
  EXPECT_EQ(ascii("\xef\xbb\xbf# \xc3\xa9\na = \"\xe2\x82\xac\\\"\" # b\n"),
            "# \\U000000E9\na = \"\\U000020AC\\\"\" # b\n");
  EXPECT_EQ(ascii("a = '\xc3\xa9\\\"'"), R"(a = "\U000000E9\\\"")");
  EXPECT_EQ(ascii("a = '''x''y''''' # '"), R"(a = """x''y''""" # ')");
  EXPECT_EQ(ascii(R"(a = """x"y""""")"), R"(a = """x"y""""")");
  EXPECT_EQ(ascii("a = '''x"), R"(a = """x)");
  EXPECT_EQ(ascii("a = '''x''"), R"(a = """x'')");
  EXPECT_EQ(ascii("a = 1\"\xc3\xa9\""), R"(a = 1"\U000000E9")");
  for (const char* wrong : {"a = \xc3\xa9", "a = \"\\\xc3\xa9\"", "a = \"\xff\"", "# \xc3"})
    EXPECT_THROW(ascii(wrong), Error) << wrong;
}

TEST(Toml, TextsSurviveEveryKindOfQuote) {
  const auto label = [](const std::string& quoted) {
    const std::string text = "[method]\nname = \"doc2s\"\nlabel = " + quoted + "\n";
    return parse_configs(text, "run.toml").front().method.text("label");
  };
  EXPECT_EQ(label("\"\xc3\xa9\\u00e9\""), "\xc3\xa9\xc3\xa9");
  EXPECT_EQ(label("'\xf0\x9f\x98\x80'"), "\xf0\x9f\x98\x80");
  EXPECT_EQ(label("'''a\"'b'''"), "a\"'b");
  EXPECT_EQ(label("'''\xc3\xa9'''''"), "\xc3\xa9''");
}

TEST(Toml, KnowsUtf8) {
  for (const char* good :
       {"", "a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf", "\xed\x9f\xbf"})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const char* bad : {"\x80", "\xc3", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
                          "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff", "\xc3z"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
}

}  // namespace
}  // namespace doc2s
