#include "doc2s/config/config.hpp"
#include "config/toml_ascii.hpp"

#include <gtest/gtest.h>

#include "config/known_options.hpp"
#include "doc2s/base/error.hpp"

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
  EXPECT_TRUE(config.notices.empty());
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
            "run.toml:2:1: clients.count: 0 is out of range; it must be a whole number from 1 to 1000000");
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

TEST(Config, EveryOptionHasAHelpAndAFallbackThatFits) {
  for (const auto& known : known_options()) {
    EXPECT_FALSE(known.option.help.empty()) << known.key();
    if (!known.option.fallback) continue;
    EXPECT_EQ(known.option.checked(*known.option.fallback, ""), *known.option.fallback) << known.key();
  }
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
