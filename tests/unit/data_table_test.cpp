// SPDX-License-Identifier: Apache-2.0
#include "data/table.hpp"

#include <cmath>

#include "data_testing.hpp"
#include "npy_bytes.hpp"

namespace doc2s {
namespace {

using data_testing::bytes_of, data_testing::head, data_testing::npy, data_testing::npy_of;
using data_testing::error_of, data_testing::packed, data_testing::says;
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;
using data_testing::Members;

// A .zip file of these members; `options` are libarchive's, e.g. zip:compression=store.
std::string zip(const Members& members, const char* options = "zip:compression=store",
                const char* password = nullptr) {
  std::string out(data_testing::room_for(members), '\0');
  std::size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_set_format_zip(writer);
  EXPECT_EQ(archive_write_set_options(writer, options), ARCHIVE_OK) << archive_error_string(writer);
  if (password) archive_write_set_passphrase(writer, password);
  archive_write_open_memory(writer, out.data(), out.size(), &used);
  data_testing::add_members(writer, members);
  out.resize(used);
  return out;
}

class TableTest : public data_testing::Scratch {
 protected:
  Table read(const std::string& name, const std::string& bytes, const TableRequest& request = {}) {
    return read_table(write(name, bytes), request);
  }

  void expect_refused(const std::string& name, const std::string& bytes, const Names& words,
                      const TableRequest& request = {}) {
    const auto file = write(name, bytes);
    const Error error = error_of([&] { read_table(file, request); });
    EXPECT_TRUE(error.where().starts_with(file)) << error.what();
    EXPECT_FALSE(error.hint().empty()) << error.what();
    for (const auto& word : words)
      EXPECT_TRUE(says(error, word)) << "no \"" << word << "\" in " << error.what();
  }
};

TableRequest request_of(TableRequest::Target target, const std::string& label = "",
                        Index features_alone = 0) {
  TableRequest request;
  request.target = target;
  request.label = label;
  request.features_alone = features_alone;
  return request;
}

constexpr auto class_name = TableRequest::Target::class_name, number = TableRequest::Target::number;

TEST_F(TableTest, PathsOfTables) {
  for (const char* path : {"a.csv", "a.tsv", "a.npy", "b/a.npz", "a.CSV", "a.csv.gz", "a.tsv.bz2", "a.npy.xz",
                           "a.npz.zst", ".csv"})
    EXPECT_TRUE(is_table_path(path)) << path;
  for (const char* path : {"a9a", "a.txt", "a.gz", "csv", "a.csv.zip", "a.csv.gz.gz", "a.csv/b", "", "."})
    EXPECT_FALSE(is_table_path(path)) << path;
}

TEST_F(TableTest, LibsvmIsFilledWithZeros) {
  const Table table = read("data", "2 1:0.5 3:-2\n-1 2:1\n2.0 1:7\n");
  EXPECT_EQ(table.columns, (Names{"1", "2", "3"}));
  EXPECT_EQ(table.values, (Numbers{0.5, 0, -2, 0, 1, 0, 7, 0, 0}));
  EXPECT_EQ(table.classes, (Names{"-1", "2"}));
  EXPECT_EQ(table.targets, (Numbers{1, 0, 1}));
  EXPECT_EQ(table.count(), 3);
  EXPECT_EQ(read("data", "2.5 1:1\n", request_of(number)).targets, (Numbers{2.5}));
  EXPECT_EQ(read("data", "1 1:1\n", request_of(number, "", 4)).values, (Numbers{1, 0, 0, 0}));
}

TEST_F(TableTest, LibsvmThatIsTooSparseIsRefused) {
  expect_refused("data", "1 2000000000:1\n", {"1 rows of 2000000000 features", "at most 1000000000 values"});
  expect_refused("data", "1\n2\n", {"no features"});
  expect_refused("data", "1 x\n", {"is not index:value"});
}

TEST_F(TableTest, NpyInEveryTypeAndOrder) {
  const Numbers values = {1, 2, 4, 5}, targets = {0, 1};
  const auto check = [&](const std::string& bytes) {
    const Table table = read("data.npy", bytes);
    EXPECT_EQ(table.values, values) << bytes;
    EXPECT_EQ(table.targets, targets) << bytes;
    EXPECT_EQ(table.classes, (Names{"3", "6"})) << bytes;
    EXPECT_EQ(table.columns, (Names{"1", "2"})) << bytes;
    EXPECT_EQ(table.count(), 2);
  };
  check(npy_of<float>("<f4", "2, 3", {1, 2, 3, 4, 5, 6}));
  check(npy_of<double>("<f8", "2, 3", {1, 2, 3, 4, 5, 6}));
  check(npy_of<double>("<f8", "2, 3", {1, 4, 2, 5, 3, 6}, "True"));
  check(npy_of<std::int8_t>("|i1", "2, 3", {1, 2, 3, 4, 5, 6}));
  check(npy_of<std::uint8_t>("|u1", "2, 3", {1, 4, 2, 5, 3, 6}, "True"));
  check(npy_of<std::int16_t>("<i2", "2, 3", {1, 2, 3, 4, 5, 6}));
  check(npy_of<std::uint16_t>("<u2", "2, 3", {1, 2, 3, 4, 5, 6}));
  check(npy_of<std::int32_t>("<i4", "2, 3", {1, 2, 3, 4, 5, 6}));
  check(npy_of<std::uint32_t>("<u4", "2, 3", {1, 2, 3, 4, 5, 6}));
  check(npy_of<std::int64_t>("<i8", "2, 3", {1, 2, 3, 4, 5, 6}));
  check(npy_of<std::uint64_t>("<u8", "2, 3", {1, 2, 3, 4, 5, 6}));
  check(packed(npy_of<float>("<f4", "2, 3", {1, 2, 3, 4, 5, 6}), "gzip"));
  EXPECT_EQ(read("data.npy", npy_of<std::int8_t>("|i1", "1, 2", {-128, 1})).values, (Numbers{-128}));
  EXPECT_EQ(read("data.npy", npy_of<std::uint8_t>("|u1", "1, 2", {255, 1})).values, (Numbers{255}));
  EXPECT_EQ(read("data.npy", npy_of<bool>("|b1", "2, 2", {true, false, false, true})).values,
            (Numbers{1, 0}));
}

TEST_F(TableTest, NpyTargetIsAColumnByNumber) {
  const std::string bytes = npy_of<double>("<f8", "2, 3", {1, 2, 3, 4, 5, 6});
  const Table table = read("data.npy", bytes, request_of(number, "2"));
  EXPECT_EQ(table.values, (Numbers{1, 3, 4, 6}));
  EXPECT_EQ(table.targets, (Numbers{2, 5}));
  EXPECT_EQ(read("data.npy", bytes, request_of(number, "2", 3)).values, (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(read("data.npy", bytes, request_of(number, "", 3)).targets.empty());
  EXPECT_EQ(read("data.npy", npy_of<double>("<f8", "2, 2", {1, 0.5, 2, -0.0})).classes, (Names{"0", "0.5"}));
  expect_refused("data.npy", bytes, {"column is 4", "3 columns"}, request_of(number, "4"));
  expect_refused("data.npy", bytes, {"\"y\"", "no header"}, request_of(number, "y"));
}

TEST_F(TableTest, NpyThatIsNoTableIsRefused) {
  expect_refused("data.npy", npy_of<double>("<f8", "3,", {1, 2, 3}), {"has one dimension"});
  expect_refused("data.npy", npy_of<double>("<f8", "1, 3, 1", {1, 2, 3}), {"has 3 dimensions"});
  expect_refused("data.npy", npy_of<double>("<f8", "3, 1", {1, 2, 3}), {"one column, and no feature"});
  expect_refused("data.npy", npy_of<double>("<f8", "0, 3", {}), {"holds no rows"});
  expect_refused("data.npy", npy_of<double>("<f8", "9223372036854775807, 0", {}), {"holds no columns"});
  expect_refused("data.npy", npy_of<double>("<f8", "2, 2", {1, 2, std::nan(""), 3}),
                 {"column 1 of row 2 is nan"});
  expect_refused("data.npy", npy_of<double>("<f8", "2, 2", {1, INFINITY, 2, 3}),
                 {"column 2 of row 1 is inf"});
  expect_refused("data.npy", npy_of<std::int64_t>("<i8", "1, 2", {1, 9007199254740993}), {"too large"});
  for (const char* type : {">f8", "<f2", "<c8", "|O", "|V8", "<M8[s]", "<U2", "|S8", "<U0", "<i3", "", "<"})
    expect_refused("data.npy", npy(head(type, "1, 1"), bytes_of<double>({1})), {"has dtype"});
  expect_refused("data.npy", npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 1), }", ""),
                 {"has dtype"});
  const std::string good = npy_of<double>("<f8", "1, 2", {1, 2});
  for (std::size_t length = 0; length < good.size(); ++length)
    expect_refused("data.npy", good.substr(0, length), {});
  expect_refused("data.npy", good + "x", {"17 bytes follow"});
}

const std::string x = npy_of<double>("<f8", "2, 3", {1, 2, 3, 4, 5, 6});
const std::string y = npy_of<std::int64_t>("<i8", "2,", {7, -7});

std::string unicode(std::initializer_list<std::uint32_t> codes, const std::string& type,
                    const std::string& shape) {
  return npy(head(type, shape), bytes_of<std::uint32_t>(codes));
}

TEST_F(TableTest, NpzHoldsFeaturesAndTargets) {
  for (const char* options : {"zip:compression=store", "zip:compression=deflate"})
    for (const Members& members :
         {Members{{"x.npy", x}, {"y.npy", y}}, Members{{"Y.npy", y}, {"z.npy", "?"}, {"X.npy", x}},
          Members{{"x.npy", x}, {"x", "?"}, {"a/y.npy", "?"}, {"y.npy", y}}}) {
      const Table table = read("data.npz", zip(members, options));
      EXPECT_EQ(table.values, (Numbers{1, 2, 3, 4, 5, 6}));
      EXPECT_EQ(table.columns, (Names{"1", "2", "3"}));
      EXPECT_EQ(table.classes, (Names{"-7", "7"}));
      EXPECT_EQ(table.targets, (Numbers{1, 0}));
      EXPECT_EQ(table.count(), 2);
    }
  EXPECT_EQ(read("data.npz.gz", packed(zip({{"x.npy", x}, {"y.npy", y}}), "gzip")).count(), 2);
}

TEST_F(TableTest, NpzTargetsInEveryType) {
  const auto classes = [&](const std::string& targets) {
    return read("data.npz", zip({{"x.npy", x}, {"y.npy", targets}})).classes;
  };
  EXPECT_EQ(classes(npy_of<float>("<f4", "2,", {0.5, 1})), (Names{"0.5", "1"}));
  EXPECT_EQ(classes(npy_of<bool>("|b1", "2,", {true, false})), (Names{"0", "1"}));
  EXPECT_EQ(classes(npy_of<double>("<f8", "2, 1", {3, 1})), (Names{"1", "3"}));
}

TEST_F(TableTest, NpzTextsAreClasses) {
  const auto read_y = [&](const std::string& targets) {
    return read("data.npz", zip({{"x.npy", x}, {"y.npy", targets}}));
  };
  EXPECT_EQ(read_y(npy(head("|S3", "2,"), std::string("dogox\0", 6))).classes, (Names{"dog", "ox"}));
  const Table wide = read_y(unicode({0xe9, 0x20ac, 0x1f600, 'a', 0, 0}, "<U3", "2,"));
  EXPECT_EQ(wide.classes, (Names{"a", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"}));
  EXPECT_EQ(wide.targets, (Numbers{1, 0}));
  EXPECT_EQ(read_y(unicode({'1', 0, 0, '1', '.', '0'}, "<U3", "2,")).classes, (Names{"1"}));
  const std::string prices = unicode({'1', '5', '2', 0}, "<U2", "2,");
  EXPECT_EQ(read("data.npz", zip({{"x.npy", x}, {"y.npy", prices}}), request_of(number)).targets,
            (Numbers{15, 2}));
}

TEST_F(TableTest, NpzTargetsThatAreWrongAreRefused) {
  const auto refused = [&](const std::string& targets, const Names& words, const TableRequest& request = {}) {
    expect_refused("data.npz", zip({{"x.npy", x}, {"y.npy", targets}}), words, request);
  };
  refused(npy_of<double>("<f8", "2,", {1, std::nan("")}), {":y", "row 2 has no value, only \"nan\""});
  refused(npy_of<double>("<f8", "2,", {-INFINITY, 1}), {":y", "\"-inf\" in row 1 is not finite"});
  refused(unicode({'a', 0}, "<U1", "2,"), {"row 2 has no value"});
  refused(unicode({'a', 'b'}, "<U1", "2,"), {"\"a\" in row 1 is not a number"}, request_of(number));
  refused(unicode({'a', 0x110000}, "<U1", "2,"), {"0x110000, which is no character"});
  refused(unicode({'a', 0xd800}, "<U1", "2,"), {"no character"});
  refused(npy(head("|S1", "2,"), "a\xff"), {"is not UTF-8"});
  refused(npy_of<double>("<f8", "3,", {1, 2, 3}), {"3 targets, and x has 2 rows"});
  refused(npy_of<double>("<f8", "2, 2", {1, 2, 3, 4}), {"2 columns of targets"});
  refused(npy_of<double>("<f8", "2,", {1}), {"8 bytes follow"});
  refused(npy(head("<U1", "2,"), "1234"), {"4 bytes follow"});
  refused(npy(head("|O", "2,"), "1234"), {"has dtype \"|O\""});
}

TEST_F(TableTest, NpzWithoutItsArraysIsRefused) {
  expect_refused("data.npz", zip({{"y.npy", y}, {"arr_0.npy", x}}),
                 {"no array \"x\", but \"y\", \"arr_0\"", "numpy.savez"});
  expect_refused("data.npz", zip({{"x.npy", x}}), {"no array \"y\", but \"x\""});
  expect_refused("data.npz", zip({{"x.npy", x}}), {"no array \"y\""}, request_of(class_name, "", 2));
  expect_refused("data.npz", zip({{"a.txt", x}}), {"no array \"x\", but none"});
  expect_refused("data.npz", zip({{"x.npy", x}, {"X.npy", x}}), {"two arrays named x"});
  expect_refused("data.npz", zip({{"x.npy", y}, {"y.npy", y}}), {":x", "one dimension"});
  const Table alone = read("data.npz", zip({{"x.npy", x}}), request_of(class_name, "", 3));
  EXPECT_TRUE(alone.targets.empty());
  EXPECT_EQ(alone.features(), 3);
}

TEST_F(TableTest, DamagedNpzIsRefused) {
  const std::string stored = zip({{"x.npy", x}, {"y.npy", y}});
  for (std::size_t length = 0; length < stored.size(); ++length)
    expect_refused("data.npz", stored.substr(0, length), {"damaged or truncated"});
  std::string flipped = stored;
  flipped[flipped.find("\x93NUMPY") + 60] ^= 1;
  expect_refused("data.npz", flipped, {"damaged or truncated", "CRC"});
  expect_refused("data.npz", "no zip", {"damaged or truncated"});
}

TEST_F(TableTest, NpzPackedInOtherWaysIsRefused) {
  std::string lzma = zip({{"x.npy", x}});
  lzma[8] = lzma[lzma.find("PK\1\2") + 10] = 14;  // the method in the member's header and in the directory
  expect_refused("data.npz", lzma, {"\"x.npy\" is packed in an unusual way", "(lzma)", "numpy.savez"});
}

TEST_F(TableTest, NpzBombsAndSecretsAreRefused) {
  const std::string zeros(64 << 20, '\0');
  expect_refused("data.npz", zip({{"x.npy", zeros}}, "zip:compression=deflate"),
                 {"more than 100 times its size"});
  expect_refused("data.npz", zip({{"x.npy", x}, {"y.npy", y}}, "zip:encryption=zipcrypt", "secret"),
                 {"\"x.npy\" is encrypted"});
}

}  // namespace
}  // namespace doc2s
