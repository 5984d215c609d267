#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "doc2s/run/experiment.hpp"

// How often this program asked for memory. Sanitizers count for themselves and keep their own operators.
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
std::atomic<long> allocations = 0;
}

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* const memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace doc2s {
namespace {

Config config_of(const std::string& method, int d, int threads) {
  Changes changes;
  const auto set = [&](const std::string& key, const std::string& value) {
    changes.push_back({key, value, "test"});
  };
  set("problem.data", "synthetic");
  set("problem.size", "200");
  set("problem.dimension", std::to_string(d));
  set("clients.count", "16");
  set("run.threads", std::to_string(threads));
  set("method.name", method);
  if (method == "doc2s" || method == "me-dol") set("method.T", "1000");
  return default_config(changes);
}

// Once every client had its turn and every thread its memory, a step asks for none.
TEST(StepMemory, AStepWithinAnEpochAllocatesNothing) {
  for (const std::string method : {"doc2s", "me-dol", "dgfm", "dgfm-plus"})
    for (const int d : {123, 10'000})
      for (const int threads : {1, 2}) {
        Processes alone;
        Experiment<double> experiment(config_of(method, d, threads), alone);
        Tick tick = 0;
        while (tick < 200) experiment.algorithm->step(tick++);
        const long before = allocations;
        while (tick < 260) experiment.algorithm->step(tick++);
        EXPECT_EQ(allocations - before, 0) << method << " d=" << d << " threads=" << threads;
      }
}

}  // namespace
}  // namespace doc2s

#endif
