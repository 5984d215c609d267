// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "doc2s/base/error.hpp"
#include "doc2s/network/network.hpp"

namespace doc2s::network_tests {

struct Given {
  std::string name;
  Value value;
};

inline Given whole(std::string name, std::int64_t value) { return {std::move(name), Value(value)}; }
inline Given real(std::string name, double value) { return {std::move(name), Value(value)}; }
inline Given text(std::string name, std::string value) { return {std::move(name), Value(std::move(value))}; }
inline Given lazily() { return {"lazy", Value(true)}; }

// The section `network` as the config gives it: fallbacks of every option, then what a user wrote.
inline Settings settings(const std::vector<Given>& given) {
  Settings network("network");
  const auto fill = [&](const std::vector<Option>& options) {
    for (const auto& option : options)
      if (option.fallback) network.set(option.name, *option.fallback);
  };
  fill(network_options());
  for (const auto& kind : graph_kinds()) fill(kind.options);
  for (const auto& kind : weights_kinds()) fill(kind.options);
  for (const auto& [name, value] : given) network.set(name, value, "test.toml:1:1");
  for (const auto& option : network_options()) {
    Config so_far;
    so_far.network = network;
    if (option.derived && !network.given(option.name))
      if (const auto value = option.derived(so_far)) network.set(option.name, *value);
  }
  return network;
}

inline Settings graph_settings(const std::string& graph, std::vector<Given> more = {}) {
  more.push_back(text("graph", graph));
  return settings(more);
}

// The error's message; "" where nothing was thrown.
template <class Function>
std::string refusal(Function f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "";
}

inline void expect_words(const std::string& message, const std::vector<std::string>& words) {
  for (const auto& word : words)
    EXPECT_NE(message.find(word), std::string::npos) << "no `" << word << "` in: " << message;
}

// A folder of this test's own, gone at the end.
class Folder {
 public:
  Folder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) /
            ("doc2s-" + std::to_string(getpid()) + "-" + test->test_suite_name() + "-" + test->name());
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string file(const std::string& name, const std::string& content) const {
    const auto path = (path_ / name).string();
    std::ofstream(path) << content;
    return path;
  }
  std::string missing(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace doc2s::network_tests
