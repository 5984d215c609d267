// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "data/table.hpp"
#include "data_testing.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {
namespace {

using data_testing::error_of, data_testing::packed, data_testing::says;
using Header = TableRequest::Header;
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

class CsvTest : public data_testing::Scratch {
 protected:
  Table read(const std::string& text, const TableRequest& request = {},
             const std::string& name = "data.csv") {
    return read_table(write(name, text), request);
  }

  // The text is refused at its line, with a hint and all the words in one sentence.
  void expect_refused(const std::string& text, int line, const Names& words, const TableRequest& request = {},
                      const std::string& name = "data.csv") {
    const auto file = write(name, text);
    const Error error = error_of([&] { read_table(file, request); });
    EXPECT_EQ(error.where(), line > 0 ? file + ":" + std::to_string(line) : file) << error.what();
    EXPECT_FALSE(error.hint().empty()) << error.what();
    for (const auto& word : words)
      EXPECT_TRUE(says(error, word)) << "no \"" << word << "\" in " << error.what();
    EXPECT_EQ(error.exit_code(), 2);
  }
};

TableRequest labelled(const std::string& label) {
  TableRequest request;
  request.label = label;
  return request;
}

TableRequest with_header(Header header) {
  TableRequest request;
  request.header = header;
  return request;
}

TableRequest numeric(const std::string& label = "") {
  TableRequest request = labelled(label);
  request.target = TableRequest::Target::number;
  return request;
}

void expect_equal(const Table& a, const Table& b) {
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.targets, b.targets);
  EXPECT_EQ(a.rows, b.rows);
}

const std::string flowers = "width,length,kind\n0.5,-2e-3,rose\n1,2,lily\n3,4,rose\n";

TEST_F(CsvTest, ReadsHeaderFeaturesAndClasses) {
  const Table table = read(flowers);
  EXPECT_EQ(table.source, path("data.csv"));
  EXPECT_EQ(table.count(), 3);
  EXPECT_EQ(table.features(), 2);
  EXPECT_EQ(table.columns, (Names{"width", "length"}));
  EXPECT_EQ(table.values, (Numbers{0.5, -2e-3, 1, 2, 3, 4}));
  EXPECT_EQ(table.classes, (Names{"lily", "rose"}));
  EXPECT_EQ(table.targets, (Numbers{1, 0, 1}));
}

TEST_F(CsvTest, AcceptsTheUsualVariants) {
  const Table plain = read(flowers);
  expect_equal(read("width,length,kind\n0.5,-2e-3,rose\n1,2,lily\n3,4,rose"), plain);  // no last newline
  expect_equal(read("width,length,kind\r\n0.5,-2e-3,rose\r\n1,2,lily\r\n3,4,rose\r\n"), plain);
  expect_equal(read("\xef\xbb\xbf" + flowers), plain);
  expect_equal(read("\n  \nwidth,length,kind\n\r\n0.5,-2e-3,rose\n1,2,lily\n \t\n3,4,rose\n\n"), plain);
  expect_equal(read(" width ,\tlength, kind \n 0.5 , -2e-3 , rose \n1,2\t,lily\n 3,4, rose\n"), plain);
  expect_equal(read("\"width\",length,\"kind\"\n\"0.5\",-2e-3,\"rose\"\n1,2,\"lily\"\n3,4,rose\n"), plain);
  expect_equal(read("width,length,kind\n5e-1,-0.002,rose\n+1,2.,lily\n3.0,04,rose\n"), plain);
  expect_equal(read("width\tlength\tkind\n0.5\t-2e-3\trose\n1\t 2\tlily\n3\t4\trose\n", {}, "data.tsv"),
               plain);
  expect_equal(read(flowers, {}, "Data.CSV"), plain);
}

TEST_F(CsvTest, PackedEqualsPlain) {
  const Table plain = read(flowers);
  for (const char* filter : {"gzip", "bzip2", "xz", "zstd"})
    expect_equal(read(packed(flowers, filter), {}, "data.csv.gz"), plain);
}

TEST_F(CsvTest, QuotesHoldSeparatorsQuotesAndNewlines) {
  const Table table = read(
      "a,\"b,\"\"c\"\"\",kind\n1,2, \"x, y\" \n3,\"4\",\"say "
      "\"\"hi\"\"\"\n5,6,\"two\nlines\"\n7,8,\"\n\n\"\n");
  EXPECT_EQ(table.columns, (Names{"a", "b,\"c\""}));
  EXPECT_EQ(table.values, (Numbers{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(table.classes, (Names{"\n\n", "say \"hi\"", "two\nlines", "x, y"}));
  EXPECT_EQ(table.targets, (Numbers{3, 1, 2, 0}));
}

TEST_F(CsvTest, BlanksWithinQuotesAndQuotesWithinTextStay) {
  const Table table = read("1,\" a \"\n2,6\" pipe\n3,a\n4,two  words\n");
  EXPECT_EQ(table.classes, (Names{" a ", "6\" pipe", "a", "two  words"}));
}

TEST_F(CsvTest, LinesAreCountedThroughQuotesAndBlanks) {
  expect_refused("\na,kind\n\n1,\"x\ny\"\n\nz,x\n", 7, {"\"z\" in column 1 (\"a\") is not a number"});
  expect_refused("a,b,kind\n1,2,\"x\ny\"\n1,q,\"x\ny\"\n", 4, {"column 2 (\"b\")"});
}

TEST_F(CsvTest, HeaderIsALineWithoutNumbers) {
  EXPECT_EQ(read("1,2,a\n3,4,b\n").count(), 2);
  EXPECT_EQ(read("1,2,a\n3,4,b\n").columns, (Names{"1", "2"}));
  EXPECT_EQ(read(",x,kind\n1,2,a\n").columns, (Names{"1", "x"}));  // an index written by pandas
  EXPECT_EQ(read("1990,1991,kind\n3,4,b\n", with_header(Header::yes)).columns, (Names{"1990", "1991"}));
  EXPECT_EQ(read("1,2,3\n3,4,5\n", with_header(Header::no)).count(), 2);
  EXPECT_EQ(read("1,a\n", with_header(Header::no)).columns, (Names{"1"}));
  expect_refused("x,1990,kind\n3,4,b\n", 1,
                 {"\"x\" in column 1 is not a number", "problem.header = \"yes\""});
  expect_refused("x,2,kind\n3,4,b\n", 1, {"\"x\" in column 1", "problem.header"}, with_header(Header::no));
}

TEST_F(CsvTest, TargetIsTheColumnByNameOrNumber) {
  for (const char* label : {"kind", "1"}) {
    const Table table = read("kind,a,b\nx,1,2\ny,3,4\n", labelled(label));
    EXPECT_EQ(table.columns, (Names{"a", "b"}));
    EXPECT_EQ(table.values, (Numbers{1, 2, 3, 4}));
    EXPECT_EQ(table.classes, (Names{"x", "y"}));
  }
  EXPECT_EQ(read("1,x,2\n3,y,4\n", labelled("2")).columns, (Names{"1", "2"}));
  TableRequest named_by_number = with_header(Header::yes);
  named_by_number.label = "3";  // a name goes before a number
  EXPECT_EQ(read("3,2,1\n7,8,9\n", named_by_number).values, (Numbers{8, 9}));
}

TEST_F(CsvTest, WrongTargetColumnIsRefused) {
  expect_refused(flowers, 1, {"no column is named \"knd\"", "did you mean \"kind\"?"}, labelled("knd"));
  expect_refused(flowers, 1, {"no column is named \"price of it\"", "width, length, kind"},
                 labelled("price of it"));
  expect_refused(flowers, 1, {"column is 4", "there are 3 columns"}, labelled("4"));
  expect_refused(flowers, 1, {"no column is named \"0\""}, labelled("0"));
  expect_refused("1,2\n", 1, {"\"kind\"", "no header", "problem.header = \"yes\""}, labelled("kind"));
  expect_refused("a,y,b,y\n1,2,3,4\n", 1, {"columns 2 and 4 are both named \"y\""}, labelled("y"));
  EXPECT_EQ(read("a,a,y\n1,2,3\n", labelled("y")).columns, (Names{"a", "a"}));
  std::string wide;
  for (int k = 0; k < 50; ++k) wide += "column" + std::to_string(k) + ",";
  expect_refused(wide + "y\n", 1, {"the first are column0, column1,"}, labelled("z"));
  expect_refused(std::string(100000, 'q') + ",y\n1,2\n", 1, {"no column is named"},
                 labelled(std::string(60, 'q')));
}

TEST_F(CsvTest, ClassesAreOrderedNumbersFirst) {
  const Table table = read("0,b\n0,10\n0,2\n0,B\n0,-1\n0,2.0\n0,+2e0\n0,\"2\"\n0,2a\n0,-0\n0,0\n0,0.5\n");
  EXPECT_EQ(table.classes, (Names{"-1", "0", "0.5", "2", "10", "2a", "B", "b"}));
  EXPECT_EQ(table.targets, (Numbers{7, 4, 3, 6, 0, 3, 3, 3, 5, 1, 1, 2}));
}

TEST_F(CsvTest, ClassesThatCannotBeToldApartAreRefused) {
  expect_refused("0,9007199254740993\n0,9007199254740992\n", 0, {"the class 9007199254740992", "too large"});
  expect_refused("0,a\n0,\xe9t\xe9\n", 0,
                 {"the class \"\\xe9t\\xe9\" is not UTF-8 text", "save the file as UTF-8"});
  EXPECT_EQ(read("0,\xc3\xa9t\xc3\xa9\n").classes, (Names{"\xc3\xa9t\xc3\xa9"}));
  EXPECT_EQ(read("0,9007199254740993\n", numeric()).targets, (Numbers{9007199254740992}));
}

TEST_F(CsvTest, TargetsMayBeNumbers) {
  const Table table = read("a,price\n1,2.5\n2,-1e3\n", numeric("price"));
  EXPECT_TRUE(table.classes.empty());
  EXPECT_EQ(table.targets, (Numbers{2.5, -1000}));
  expect_refused(
      "a,price\n1,2.5\n2,cheap\n", 3,
      {"\"cheap\" in column 2 (\"price\"), the target, is not a number", "problem.target = \"class\""},
      numeric());
  expect_refused("1,2.5\n2,inf\n", 2, {"column 2, the target, is not finite"}, numeric());
}

TEST_F(CsvTest, FeaturesAloneHaveNoTargets) {
  TableRequest request;
  request.features_alone = 2;
  const Table table = read("a,b\n1,2\n", request);
  EXPECT_EQ(table.columns, (Names{"a", "b"}));
  EXPECT_EQ(table.values, (Numbers{1, 2}));
  EXPECT_TRUE(table.targets.empty());
  EXPECT_TRUE(table.classes.empty());
  EXPECT_EQ(read("a,b,c\n1,2,3\n", request).targets.size(), 1U);
  request.label = "a";
  EXPECT_EQ(read("a,b\n1,2\n", request).columns, (Names{"b"}));  // it is there
  request.label = "y";
  EXPECT_EQ(read("a,b\n1,2\n", request).features(), 2);
  EXPECT_EQ(read("1,2\n", request).features(), 2);
  request.label = "1";
  EXPECT_EQ(read("1,2\n", request).features(), 2);
  request.features_alone = 1;
  EXPECT_EQ(read("7\n8\n", request).values, (Numbers{7, 8}));
}

TEST_F(CsvTest, MissingValuesAreRefused) {
  for (const std::string word : {"", "NA", "N/A", "NaN", "nan", "null", "?", " ", "\"\"", "\"NA\""}) {
    expect_refused("a,b,y\n1,2,x\n3," + word + ",x\n", 3,
                   {"column 2 (\"b\") has no value", "leave the line out", "problem.missing = \"drop\"",
                    "problem.ignore = [\"b\"]"});
    expect_refused("1,2,x\n3,4," + word + "\n", 2, {"column 3, the target, has no value"});
    expect_refused("1,2,5\n3,4," + word + "\n", 2, {"column 3, the target, has no value"}, numeric());
  }
  expect_refused("1,2,x\n3,NA,x\n", 2, {"has no value, only \"NA\""});
  expect_refused("1,2,3,\n", 1, {"column 4, the target, has no value"});  // a separator at the end
}

TEST_F(CsvTest, FeaturesThatAreNoNumbersAreRefused) {
  const std::pair<const char*, const char*> faults[] = {
      {"red", "\"red\" in column 2 (\"b\") is not a number"},
      {"1x", "\"1x\" in column 2 (\"b\") is not a number"},
      {"1 2", "\"1 2\" in column 2 (\"b\") is not a number"},
      {"\"1,5\"", "\"1,5\" in column 2 (\"b\") is not a number"},
      {"\" 1\"", "\" 1\" in column 2 (\"b\") is not a number"},
      {"0x10", "is not a number"},
      {"+-1", "is not a number"},
      {"inf", "\"inf\" in column 2 (\"b\") is not finite"},
      {"-Infinity", "is not finite"},
      {"NAN", "is not finite"},
      {"1e999", "\"1e999\" in column 2 (\"b\") is out of a double's range"}};
  for (const auto& [text, what] : faults)
    expect_refused("a,b,y\n1,2,x\n3," + std::string(text) + ",x\n", 3,
                   {what, "a feature is a finite number"});
  for (const char* text : {"inf", "1e999"})
    expect_refused("1,x\n2," + std::string(text) + "\n", 2, {"the target, is"});
}

TEST_F(CsvTest, RaggedLinesAreRefused) {
  expect_refused("a,b,y\n1,2,x\n3,x\n", 3,
                 {"has 2 columns, and line 1 has 3", "column 3 (\"y\") is the first"});
  expect_refused("\na,b,y\n1,2,3,x\n", 3, {"has 4 columns, and line 2 has 3", "in quotes"});
  expect_refused("1,2,x\n\"1\",x\n", 2, {"has 2 columns", "column 3 is the first"});
  expect_refused("1,2,x\n3,4,x,\n", 2, {"has 4 columns"});
  expect_refused("1,2,x\n7\n", 2, {"has 1 columns"});
  expect_refused("1,2,x\n,\n", 2, {"has 2 columns"});  // before its fields are looked at
  expect_refused("x,2,1\n,1\n", 2, {"has 2 columns"}, labelled("1"));
}

TEST_F(CsvTest, SemicolonsAndDecimalCommas) {
  const Table wine = read("\"fixed acidity\";\"pH\"\n7.4;3\n1;\"4\"\n");
  EXPECT_TRUE(wine.has_semicolons);
  EXPECT_FALSE(wine.has_decimal_commas);
  EXPECT_EQ(wine.columns, Names{"fixed acidity"});
  EXPECT_EQ(wine.values, (Numbers{7.4, 1}));
  const Table german = read("a;b;y\n1,5;-2,25;7,5\n 3 ;,5;x, y\n");
  EXPECT_TRUE(german.has_semicolons && german.has_decimal_commas);
  EXPECT_EQ(german.values, (Numbers{1.5, -2.25, 3, 0.5}));
  EXPECT_EQ(german.classes, (Names{"7.5", "x, y"}));
  EXPECT_EQ(read("1,5;2,3\n4;5\n").values, (Numbers{1.5, 4}));  // all commas are decimal
  EXPECT_EQ(read("1,5;2,3\n4;5\n").classes, (Names{"2.3", "5"}));
  EXPECT_EQ(read("a;b,c\n1,2\n").columns, Names{"a;b"});  // no more semicolons than commas
  EXPECT_EQ(read("\"a;b\",\"c;d\",y\n1,2,x\n").features(), 2);
  EXPECT_EQ(read("1;2;3,5;x\n").features(), 3);
  expect_refused("a;y\n1,5;x\n2.5;x\n", 0, {"decimal comma", "a point"});
  expect_refused("a;y\n1.000,5;x\n", 2, {"\"1.000,5\" in column 1"});
  expect_refused("a,y\n\"1,5\",x\n", 2, {"\"1,5\" in column 1"});
}

TEST_F(CsvTest, AllFaultsAreToldAtOnce) {
  const auto file = write("data.csv", "id,b,y\nP1,?,x\nP2,2,x\n3,4\nP4,inf,x\n5,6,x\n");
  const Error error = error_of([&] { read_table(file, {}); });
  for (const char* word :
       {"6 faults", ":2: \"P1\" in column 1 (\"id\") is not a number", ":2: column 2 (\"b\") has no",
        ":3: \"P2\"", ":4: this line has 2 columns", ":5: \"inf\" in column 2", "problem.ignore = [\"id\"]",
        "problem.missing = \"drop\""})
    EXPECT_TRUE(says(error, word)) << word << ": " << error.what();
  std::string many = "id,b,y\n";
  for (int k = 0; k < 200; ++k) many += "P" + std::to_string(k) + (k % 2 ? ",1,x\n" : ",,x\n");
  const Error all = error_of([&] { read_table(write("data.csv", many), {}); });
  EXPECT_TRUE(says(all, "300 faults") && says(all, "and 199 more") && says(all, "and 99 more")) << all.what();
  EXPECT_LT(std::string(all.what()).size(), 1000U);
}

TEST_F(CsvTest, ColumnsMayBeIgnored) {
  TableRequest request = labelled("y");
  request.ignore = {"id", "3", "none"};
  const Table table = read("id,y,date,a\nP1,x,2020-01-01,5\n\"P2\",z,,6\n", request);
  EXPECT_EQ(table.columns, Names{"a"});
  EXPECT_EQ(table.values, (Numbers{5, 6}));
  EXPECT_EQ(table.ignored, (Names{"id", "3"}));
  request.label = "";
  request.ignore = {"date"};
  EXPECT_EQ(read("a,y,date\n1,x,today\n", request).classes, Names{"x"});  // the last that is left
  request.ignore = {"y"};
  request.label = "y";
  expect_refused("a,y,b\n1,2,3\n", 1, {"\"y\"", "problem.ignore"}, request);
  TableRequest alone = labelled("2");  // columns 1 and 4 of a file with its target
  alone.ignore = {"4"};
  alone.features_alone = 2;
  EXPECT_EQ(read("1,x,3,date\n", alone).values, (Numbers{1, 3}));
  EXPECT_EQ(read("1,3,date\n", alone).values, (Numbers{1, 3}));
  TableRequest second;
  second.ignore = {"2"};
  EXPECT_EQ(read("1,date,3,x\n", second).columns, (Names{"1", "3"}));
}

TEST_F(CsvTest, MissingValuesMayBeDroppedOrKept) {
  const std::string text = "a,b,y\n1,?,x\n2,3,z\n,,x\n4,5,NA\n6,7,x\n";
  TableRequest request;
  request.missing = TableRequest::Missing::drop;
  const Table dropped = read(text, request);
  EXPECT_EQ(dropped.values, (Numbers{2, 3, 6, 7}));
  EXPECT_EQ(dropped.targets, (Numbers{1, 0}));
  EXPECT_EQ(dropped.places, (std::vector<Index>{1, 4}));
  EXPECT_EQ(dropped.left_out, 3);
  EXPECT_EQ(dropped.missing, (std::vector<Index>{1, 2}));
  expect_refused("a,y\n?,x\n,x\n", 0, {"each of the 2 rows"}, request);
  request.missing = TableRequest::Missing::keep;
  expect_refused(text, 5, {"column 3 (\"y\"), the target, has no value"}, request);
  const Table kept = read("a,b,y\n1,?,x\n2,3,z\n", request);
  EXPECT_TRUE(std::isnan(kept.values[1]));
  EXPECT_EQ(kept.values[3], 3);
  EXPECT_TRUE(kept.places.empty());
}

TEST_F(CsvTest, BrokenQuotesAreRefused) {
  expect_refused("a,b,y\n1,2,x\n1,2,\"x\n3,4,y\n", 3,
                 {"column 3 (\"y\") opens quotes that are never closed"});
  expect_refused("1,\"2", 1, {"column 2 opens quotes"});
  expect_refused("1,\"2\"x,3\n", 1, {"column 2 has text after its closing quote", "written twice"});
}

TEST_F(CsvTest, FilesWithoutRowsOrColumnsAreRefused) {
  expect_refused("", 0, {"the file holds no rows"});
  expect_refused("\n \r\n", 0, {"the file holds no rows"});
  expect_refused("\xef\xbb\xbf\n", 0, {"the file holds no rows"});
  expect_refused("a,b\n\n", 0, {"a header and no rows"});
  expect_refused("a|b\n1|2\n", 1, {"only one column", "by commas", "by tabs"});
  expect_refused(
      "\xff\xff"
      "a,b\n1,2\n",
      1, {"the name of column 1 is not UTF-8 text"});
  expect_refused(
      "\xff\xfe"
      "a,b\n1,2\n",
      0, {"is a text in UTF-16"});
  EXPECT_THROW(read_table(path("none.csv"), {}), Error);
}

TEST_F(CsvTest, NumbersEqualStrtod) {
  Random random(7, Purpose::synthetic, 0, 0);
  std::string text;
  Numbers expected;
  for (int k = 0; k < 20000; ++k) {
    char number[64];
    const int digits = static_cast<int>(random.below(20));
    const double value = (random.uniform() - 0.5) * std::pow(10, static_cast<double>(random.below(40)) - 20);
    std::snprintf(number, sizeof number, k % 2 ? "%.*g" : "%.*f", digits, value);
    text += std::string(number) + (k % 4 == 3 ? ",\"c\"\n" : k % 4 == 1 ? ",c\n" : ",");
    expected.push_back(std::strtod(number, nullptr));
  }
  const Table table = read(text);
  ASSERT_EQ(table.values.size(), expected.size());
  EXPECT_EQ(std::memcmp(table.values.data(), expected.data(), expected.size() * sizeof(double)), 0);
}

TEST_F(CsvTest, PiecesMayCutAnywhere) {
  std::string text = "a,b,kind\n";
  for (int k = 0; k < 60000; ++k)
    text += std::to_string(k) + "," + std::to_string(k % 7) + (k % 3 == 0 ? ",\"a\nb\"\n" : ",c\r\n");
  const Table table = read(text);  // about 900 kB, pieces of 256 kB
  ASSERT_EQ(table.count(), 60000);
  for (Index k = 0; k < 60000; ++k) {
    ASSERT_EQ(table.values[2 * k], k);
    ASSERT_EQ(table.values[2 * k + 1], k % 7);
    ASSERT_EQ(table.targets[k], k % 3 == 0 ? 0 : 1);
  }
  EXPECT_EQ(table.classes, (Names{"a\nb", "c"}));
}

TEST_F(CsvTest, QuotesThatAreNeverClosedTakeLinearTime) {
  const auto file = write("data.csv", "1,\"x\n" + std::string(3 << 20, '\n'));
  EXPECT_TRUE(says(error_of([&] { read_table(file, {}); }), "never closed"));
}

}  // namespace
}  // namespace doc2s
