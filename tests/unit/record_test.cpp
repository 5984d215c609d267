// SPDX-License-Identifier: Apache-2.0
#include "doc2s/run/record.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "run/record_json.hpp"

namespace doc2s {
namespace {

TEST(Record, HoldsWhatTheTableNames) {
  Record record;
  EXPECT_TRUE(std::isnan(record["samples"]));
  EXPECT_EQ(record.whole("samples"), 0);
  record["samples"] = 5;
  EXPECT_EQ(record.whole("samples"), 5);
  EXPECT_THROW(record["sample"], std::out_of_range);
}

TEST(Record, NamesAreUniqueAndMeasuresHaveADirection) {
  std::set<std::string> names;
  for (const Quantity& one : quantities()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_EQ(one.kind == Quantity::Kind::measure, one.better != Quantity::Better::neither) << one.name;
    EXPECT_FALSE(std::string(one.meaning).empty() || std::string(one.title).empty()) << one.name;
  }
}

TEST(Record, IsReadAsItWasWritten) {
  Record record;
  record["bytes"] = 12345678901234;
  record["seconds"] = 0.1;
  record["loss_worst"] = std::numeric_limits<double>::infinity();
  JsonObject object;
  for (const Quantity& one : quantities()) add_to(object, one, record[one.name]);
  EXPECT_EQ(object.line(), R"({"bytes": 12345678901234, "seconds": 0.1, "loss_clients": null, )"
                           R"("loss_worst": null, "consensus": null})");
  const auto read = record_from(object.line());
  ASSERT_TRUE(read);
  EXPECT_EQ((*read)["bytes"], 12345678901234);
  EXPECT_EQ((*read)["seconds"], 0.1);
  EXPECT_TRUE(std::isnan((*read)["loss_worst"]));
  EXPECT_FALSE(record_from("[1]") || record_from("{\"bytes\": "));
}

TEST(Status, IsReadAsItWasWritten) {
  for (const Status status : {Status::finished, Status::diverged, Status::interrupted})
    EXPECT_EQ(status_from(to_text(status)), status);
  EXPECT_EQ(status_from("no status"), Status::running);
}

}  // namespace
}  // namespace doc2s
