// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "data/npy.hpp"
#include "doc2s/base/error.hpp"
#include "npy_bytes.hpp"

namespace doc2s {
namespace {

using data_testing::bytes_of, data_testing::head, data_testing::npy;

TEST(Npy, ListsAndTablesInBothPrecisions) {
  const NpyArray list = parse_npy(npy(head("<f8", "3,"), bytes_of<double>({1.5, -2, 1e300})), "it");
  EXPECT_TRUE(list.is_list);
  EXPECT_EQ(list.rows, 1);
  EXPECT_EQ(list.values, (std::vector<double>{1.5, -2, 1e300}));
  for (const char version : {1, 2, 3}) {
    const NpyArray table =
        parse_npy(npy(head("<f4", "2, 3"), bytes_of<float>({1, 2, 3, 4, 5, 6.5f}), version), "it");
    EXPECT_FALSE(table.is_list);
    EXPECT_EQ(table.rows, 2);
    EXPECT_EQ(table.columns, 3);
    EXPECT_EQ(table.row(1)[2], 6.5);
  }
}

TEST(Npy, WhatIsNotRightIsRefused) {
  const std::string two = bytes_of<double>({1, 2});
  const std::string good = npy(head("<f8", "2,"), two);
  EXPECT_NO_THROW(parse_npy(good, "it"));
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_THROW(parse_npy(good.substr(0, length), "it"), Error) << length;
  EXPECT_THROW(parse_npy(good + "x", "it"), Error);
  for (const char* shape :
       {"3,", "1,", "2, 2", "", "1, 1, 2", "-2,", "two", "9223372036854775807, 9223372036854775807",
        "4611686018427387905, 4", "99999999999999999999,", "2.5,", "2305843009213693952, 8"})
    EXPECT_THROW(parse_npy(npy(head("<f8", shape), two), "it"), Error) << shape;
  for (const char* type : {">f8", "<i8", "|O", "<f2", "<c16", "|S8"})
    EXPECT_THROW(parse_npy(npy(head(type, "2,"), two), "it"), Error) << type;
  EXPECT_THROW(parse_npy(npy(head("<f8", "2,", "True"), two), "it"), Error);
  EXPECT_THROW(parse_npy(npy("{}", two), "it"), Error);
  EXPECT_THROW(parse_npy(npy("", two), "it"), Error);
  EXPECT_THROW(parse_npy(npy(head("<f8", "2,"), two, 9), "it"), Error);
  EXPECT_THROW(read_npy("/nowhere/x.npy"), Error);
}

}  // namespace
}  // namespace doc2s
