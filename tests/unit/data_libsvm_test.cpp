// SPDX-License-Identifier: Apache-2.0
#include "data/libsvm.hpp"

#include <sys/resource.h>

#include <charconv>
#include <sstream>

#include "data/numbers.hpp"
#include "data_testing.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {
namespace {

using data_testing::error_of, data_testing::packed, data_testing::says;

class LibsvmTest : public data_testing::Scratch {
 protected:
  Samples read(const std::string& text) { return read_libsvm(write("data", text)); }

  Error refused(const std::string& text) {
    const auto file = write("data", text);
    return error_of([&] { read_libsvm(file); });
  }

  // The text is refused at its line with all the words.
  void expect_refused(const std::string& text, int line, const std::vector<std::string>& words) {
    const Error error = refused(text);
    EXPECT_EQ(error.where(), path("data") + ":" + std::to_string(line)) << error.what();
    for (const auto& word : words)
      EXPECT_TRUE(says(error, word)) << "no \"" << word << "\" in " << error.what();
    EXPECT_EQ(error.exit_code(), 2);
  }
};

void expect_equal(const Samples& a, const Samples& b) {
  EXPECT_EQ(a.dimension, b.dimension);
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.labels, b.labels);
}

TEST_F(LibsvmTest, ReadsRows) {
  const Samples samples = read("+1 1:0.5 3:-2e-3\n-1 2:1\n0.5\n");
  EXPECT_EQ(samples.source, path("data"));
  EXPECT_EQ(samples.count(), 3);
  EXPECT_EQ(samples.dimension, 3);
  EXPECT_EQ(samples.labels, (std::vector<double>{1, -1, 0.5}));
  EXPECT_EQ(samples.offsets, (std::vector<Index>{0, 2, 3, 3}));
  EXPECT_EQ(samples.columns, (std::vector<std::int32_t>{0, 2, 1}));
  EXPECT_EQ(samples.values, (std::vector<double>{0.5, -2e-3, 1}));
}

TEST_F(LibsvmTest, AcceptsTheUsualVariants) {
  const Samples plain = read("+1 1:0.5 3:2\n-1 2:1\n");
  expect_equal(read("+1 1:0.5 3:2\n-1 2:1"), plain);                      // no last newline
  expect_equal(read("+1 1:0.5 3:2 \n-1 2:1  \n"), plain);                 // trailing spaces
  expect_equal(read("+1 1:0.5 3:2\r\n-1 2:1\r\n"), plain);                // CRLF
  expect_equal(read("\n+1 1:0.5 3:2\n\n  \r\n-1 2:1\n\n"), plain);        // blank lines
  expect_equal(read("1\t1:.5\t3:2.\n  -1 2:1\n"), plain);                 // tabs, short numbers
  expect_equal(read("# head\n+1 1:0.5 3:2 # x\n-1 2:1#y 3:4\n"), plain);  // comments
  expect_equal(read("1.0 01:5e-1 3:+2\n-1e0 2:0.1e1\n"), plain);          // other spellings
}

TEST_F(LibsvmTest, DimensionIsTheLargestIndexOrMore) {
  const auto file = write("data", "1 7:1\n1 3:1\n");
  EXPECT_EQ(read_libsvm(file).dimension, 7);
  EXPECT_EQ(read_libsvm(file, 5).dimension, 7);
  EXPECT_EQ(read_libsvm(file, 123).dimension, 123);
  EXPECT_EQ(read("1\n2\n").dimension, 0);
}

TEST_F(LibsvmTest, PackedEqualsPlain) {
  const std::string text = "+1 1:0.5 3:2\n-1 2:1\n";
  const Samples plain = read(text);
  for (const char* filter : {"gzip", "bzip2", "xz", "zstd"}) expect_equal(read(packed(text, filter)), plain);
}

TEST_F(LibsvmTest, CutPackedFileIsRefusedAtEveryByte) {
  const std::string bytes = packed("+1 1:0.5 3:2\n-1 2:1\n", "gzip");
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const Error error = refused(bytes.substr(0, length));
    EXPECT_TRUE(says(error, length == 0 ? "no samples" : "damaged or truncated")) << error.what();
  }
}

// 2.5 MB in pieces of 256 KB: lines lie across them, one line is longer than a piece.
TEST_F(LibsvmTest, LinesAcrossPiecesAreWhole) {
  std::ostringstream text;
  std::size_t entries = 0;
  for (int row = 0; row < 2001; ++row) {
    text << (row % 2 ? "+1" : "-1");
    const int length = row == 1000 ? 100000 : row % 100;
    for (int k = 1; k <= length; ++k) text << ' ' << 3 * k << ':' << k + row;
    entries += length;
    text << '\n';
  }
  const Samples samples = read(text.str());
  ASSERT_EQ(samples.count(), 2001);
  ASSERT_EQ(samples.columns.size(), entries);
  EXPECT_EQ(samples.dimension, 300000);
  for (Index row = 0; row < samples.count(); ++row)
    for (Index k = samples.offsets[row]; k < samples.offsets[row + 1]; ++k) {
      const Index place = k - samples.offsets[row] + 1;
      ASSERT_EQ(samples.columns[k], 3 * place - 1);
      ASSERT_EQ(samples.values[k], place + row);
    }
  expect_refused(text.str() + "1 0:1\n", 2002, {"index 0"});
}

TEST_F(LibsvmTest, RefusesBadIndices) {
  expect_refused("1 1:1\n1 0:1\n", 2, {"index 0 in \"0:1\"", "1-based"});
  expect_refused("1 5:1 3:1\n", 1, {"index 3 follows index 5", "ascending"});
  expect_refused("1 5:1 5:1\n", 1, {"index 5 is given twice"});
  expect_refused("1 2147483648:1\n", 1, {"\"2147483648:1\" is too large", "2147483647"});
  expect_refused("1 99999999999999999999999:1\n", 1, {"too large"});
  expect_refused("1 -3:1\n", 1, {"\"-3:1\" is not index:value"});
}

TEST_F(LibsvmTest, RefusesMalformedPairs) {
  expect_refused("1 1:1\n\n1 3\n", 3, {"\"3\" is not index:value"});
  expect_refused("1 a:1\n", 1, {"\"a:1\" is not index:value"});
  expect_refused("1 :1\n", 1, {"\":1\" is not index:value"});
  expect_refused("1 3:\n", 1, {"\"3:\" has no value"});
  expect_refused("1 3: 4:1\n", 1, {"\"3:\" has no value"});
  expect_refused("1 3:x\n", 1, {"the value \"x\" is not a number", "index 3"});
  expect_refused("1 3:1x 4:1\n", 1, {"the value \"1x\" is not a number"});
  expect_refused("1 3:1:2\n", 1, {"the value \"1:2\" is not a number"});
  expect_refused("1 3:0x10\n", 1, {"the value \"0x10\" is not a number"});
  expect_refused("1 3:+-1\n", 1, {"the value \"+-1\" is not a number"});
  expect_refused("1 qid:3 1:1\n", 1, {"\"qid:3\"", "ranking"});
}

TEST_F(LibsvmTest, RefusesWhatIsNotFinite) {
  for (const char* word : {"nan", "NaN", "inf", "-inf", "+Inf", "infinity"}) {
    expect_refused(std::string("1 1:1\n1 3:") + word, 2, {"the value", word, "is not finite"});
    expect_refused(std::string("1 1:1\n\n") + word + " 3:1", 3, {"the label", word, "is not finite"});
  }
  expect_refused("1 3:1e400\n", 1, {"the value \"1e400\" is out of a double's range"});
  expect_refused("-1e999 3:1\n", 1, {"the label \"-1e999\" is out of a double's range"});
}

TEST_F(LibsvmTest, RefusesBadLabels) {
  expect_refused("yes 1:1\n", 1, {"the label \"yes\" is not a number"});
  expect_refused("1:1 2:1\n", 1, {"the label \"1:1\" is not a number"});
  expect_refused("1,2 2:1\n", 1, {"the label \"1,2\" is not a number"});
  expect_refused("- 2:1\n", 1, {"the label \"-\" is not a number"});
}

TEST_F(LibsvmTest, RefusesAFileWithoutSamples) {
  for (const char* text : {"", "\n", "\r\n \n", "# only words\n", "#"}) {
    const Error error = refused(text);
    EXPECT_TRUE(says(error, "no samples")) << error.what();
    EXPECT_EQ(error.where(), path("data"));
  }
  EXPECT_TRUE(says(refused(packed("", "xz")), "no samples"));
}

// Each in the third line, with sound lines around it and at the end of the file.
TEST_F(LibsvmTest, RefusesALineAmongSoundOnes) {
  const std::string sound = "+1 1:1 2:2\n-1 2:1\n";
  const std::vector<std::pair<std::string, std::vector<std::string>>> lines = {
      {"+1 0:1", {"index 0", "1-based"}},
      {"+1 3:1 2:1", {"index 2", "3"}},
      {"+1 2:1 2:1", {"index 2"}},
      {"+1 99999999999:1", {"99999999999"}},
      {"+1 2147483648:1", {"2147483648"}},
      {"+1 1e3:1", {"1e3:1"}},
      {"+1 -1:1", {"-1:1"}},
      {"+1 1:nan", {"nan"}},
      {"+1 1:NaN", {"NaN"}},
      {"+1 1:inf", {"inf"}},
      {"-1 1:-Infinity", {"Infinity"}},
      {"+1 1:1e999", {"1e999"}},
      {"nan 1:1", {"nan"}},
      {"+1 1:", {"1:"}},
      {"+1 :1", {":1"}},
      {"+1 1", {"1"}},
      {"+1 1:one", {"one"}},
      {"one 1:1", {"one"}},
      {"1:1 2:2", {"1:1"}},
      {"+1 1:1,2:2", {"1,2:2"}},
      {"+1 qid:3 1:1", {"qid:3"}},
      {std::string("+1 1:1 2:\0", 10), {}},
      {"<html>", {"html"}}};
  for (const auto& [line, words] : lines) {
    expect_refused(sound + line + "\n" + sound, 3, words);
    expect_refused(sound + line, 3, words);
  }
}

TEST_F(LibsvmTest, GarbageGivesAShortPrintableMessage) {
  Random random(1, Purpose::synthetic);
  for (int trial = 0; trial < 200; ++trial) {
    std::string bytes(1 + random.below(4000), '\0');
    for (char& c : bytes) c = static_cast<char>(random.below(256));
    bytes[0] = static_cast<char>(0x80 | random.below(64));
    const Error error = refused(bytes);
    EXPECT_LT(error.problem().size(), 120u);
    for (const char c : error.problem()) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  }
  expect_refused(std::string("\0\0\1", 3), 1, {"\"\\x00\\x00\\x01\""});
}

// Bytes that are nearly right reach every corner of the parser; the sanitizers watch.
TEST_F(LibsvmTest, NearlyRightTextIsReadOrRefused) {
  const std::string alphabet = "0123456789019+-.:: \t\r\n\n#eEnai";
  Random random(2, Purpose::synthetic);
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text;
    for (auto left = 1 + random.below(40); left > 0; --left) text += alphabet[random.below(alphabet.size())];
    try {
      const Samples samples = read(text);
      EXPECT_EQ(samples.offsets.size(), samples.labels.size() + 1);
      EXPECT_EQ(samples.offsets.back(), std::ssize(samples.columns));
    } catch (const Error& error) {
      EXPECT_NE(error.where().find(path("data")), std::string::npos);
    }
  }
}

TEST_F(LibsvmTest, AHugeIndexCostsNoMemory) {
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  const Samples samples = read("1 2147483647:1\n");
  getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(samples.dimension, 2147483647);
  EXPECT_EQ(samples.columns, (std::vector<std::int32_t>{2147483646}));
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 * 1024);  // in KB
}

void expect_as_the_standard_library(const std::string& text) {
  double expected = 0;
  std::from_chars(text.data(), text.data() + text.size(), expected);
  const ReadNumber got = read_real(text.data(), text.data() + text.size());
  ASSERT_EQ(got.fault, NumberFault::none) << text;
  ASSERT_EQ(got.value, expected) << text;
  ASSERT_EQ(got.end, text.data() + text.size()) << text;
}

// 17 to 19 digits that stand exactly between two doubles, and those next to them.
TEST(ReadReal, RoundsTiesToEven) {
  for (std::uint64_t between = (1ULL << 53) + 1; between < (1ULL << 53) + 2000; between += 2)
    for (const auto& [factor, point] :
         {std::pair{1, 0}, {5, 1}, {25, 2}, {125, 3}})  // between · (1, ½, ¼, ⅛)
      for (const int beside : {-1, 0, 1}) {
        std::string text = std::to_string(between * factor + beside);
        if (point > 0) text.insert(text.size() - point, ".");
        expect_as_the_standard_library(text);
      }
}

TEST(ReadReal, AgreesWithTheStandardLibrary) {
  Random random(3, Purpose::synthetic);
  for (int trial = 0; trial < 200000; ++trial) {
    std::string text = random.below(2) ? "-" : "";
    for (auto left = 1 + random.below(12); left > 0; --left)
      text += static_cast<char>('0' + random.below(10));
    if (random.below(4)) text += '.';
    if (text.back() == '.')
      for (auto left = random.below(12); left > 0; --left) text += static_cast<char>('0' + random.below(10));
    if (random.below(4) == 0) text += "e" + std::to_string(static_cast<int>(random.below(80)) - 40);
    expect_as_the_standard_library(text);
  }
}

}  // namespace
}  // namespace doc2s
