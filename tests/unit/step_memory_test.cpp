// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "doc2s/run/configs.hpp"
#include "run/experiment.hpp"

// Sanitizers have these functions for themselves.
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
std::atomic<long> allocations = 0;  // by this program and its libraries
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) noexcept {
  ++allocations;
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  ++allocations;
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept {
  ++allocations;
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
}

namespace doc2s {
namespace {

Config config_of(const std::string& problem, const std::string& method, int n, int d, int threads,
                 Changes changes = {}) {
  const auto set = [&](const std::string& key, const std::string& value) {
    changes.push_back({key, value, "test"});
  };
  set("problem.name", problem);
  set("problem.data", "synthetic");
  set("problem.size", std::to_string(10 * n));
  set("problem.dimension", std::to_string(d));
  set("clients.count", std::to_string(n));
  set("run.threads", std::to_string(threads));
  set("method.name", method);
  for (const MethodKind& kind : method_kinds())
    for (const Option& option : kind.options)
      if (kind.name == method && option.name == "T") set("method.T", "100000");
  if (method == "doc2s") set("method.gossip", "plain");  // two rounds are accepted on a ring of any length
  return default_config(changes);
}

// The fewest that some steps in a row made. What a client or a thread needs when it first has its turn is
// kept from then on, so there comes a stretch without; what every step needs is in all of them.
long fewest_allocations(const Config& config) {
  Processes alone;
  Experiment<double> experiment(config, alone);
  long fewest = 1;
  for (Tick tick = 0; fewest > 0 && tick < 3'000;) {
    const long before = allocations;
    for (const Tick end = tick + 20; tick < end; ++tick) experiment.algorithm->step(tick);
    fewest = std::min<long>(fewest, allocations - before);
  }
  return fewest;
}

TEST(StepMemory, StepsWithinAnEpochAllocateNothing) {
  for (const int threads : {1, 2}) {
    for (const std::string& method : names_of(method_kinds()))
      for (const int d : {123, 10'000})
        EXPECT_EQ(fewest_allocations(config_of("svm", method, 16, d, threads)), 0) << method << " " << d;
    EXPECT_EQ(fewest_allocations(config_of("svm", "doc2s", 128, 123, threads)), 0) << "many clients";
    EXPECT_EQ(fewest_allocations(config_of("mlp", "doc2s", 16, 20, threads)), 0) << "mlp";
    for (const char* method : {"doc2s-travel", "token"})
      for (const char* travellers : {"4", "16"})
        for (const char* route : {"uniform", "tour", "walk"}) {
          const Changes more = {{"method.travellers", travellers, "test"}, {"method.route", route, "test"}};
          EXPECT_EQ(fewest_allocations(config_of("svm", method, 16, 123, threads, more)), 0)
              << travellers << " of " << method << ", " << route;
        }
  }
}

TEST(StepMemory, AllocationsAreCounted) {
  const long before = allocations;
  const LargeVector<double> numbers(3);
  const auto alone = std::make_unique<std::string>(100, 'a');
  EXPECT_EQ(allocations - before, 3);
}

}  // namespace
}  // namespace doc2s

#endif
