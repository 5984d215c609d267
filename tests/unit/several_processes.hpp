// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <barrier>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "doc2s/base/processes.hpp"
#include "doc2s/base/rows.hpp"

namespace doc2s::testing {

// Processes that are threads of one test. Where one of them fails, the others fail at their next meeting, as
// in a job that ends as a whole.
class ThreadProcesses {
 public:
  explicit ThreadProcesses(int count) : words_(count), meeting_(count) {}

  // Runs work(processes) once as each of them; throws the first failure of any.
  void run(const std::function<void(Processes&)>& work) {
    std::vector<std::exception_ptr> failures(words_.size());
    std::vector<std::thread> threads;
    for (int rank = 0; rank < static_cast<int>(words_.size()); ++rank)
      threads.emplace_back([&, rank] {
        try {
          One one(*this, rank);
          work(one);
        } catch (const Abandoned&) {
          meeting_.arrive_and_drop();
        } catch (...) {
          failures[rank] = std::current_exception();
          failed_ = true;
          meeting_.arrive_and_drop();
        }
      });
    for (auto& thread : threads) thread.join();
    for (const auto& failure : failures)
      if (failure) std::rethrow_exception(failure);
  }

 private:
  struct Abandoned {};

  class One : public Processes {
   public:
    One(ThreadProcesses& all, int rank) : all_(all), rank_(rank) {}
    int rank() const override { return rank_; }
    int count() const override { return static_cast<int>(all_.words_.size()); }
    std::vector<std::string> gather(const std::string& mine) override {
      all_.words_[rank_] = mine;
      all_.meet();
      std::vector<std::string> copy = all_.words_;
      all_.meet();  // nobody overwrites what another has yet to read
      return copy;
    }

   private:
    ThreadProcesses& all_;
    int rank_;
  };

  void meet() {
    meeting_.arrive_and_wait();
    if (failed_) throw Abandoned();
  }

  std::vector<std::string> words_;
  std::barrier<> meeting_;
  std::atomic<bool> failed_ = false;
};

// The clients of one of `count` processes: contiguous blocks, as equal as may be.
inline ClientRange block_of(int rank, int count, int clients) {
  const auto cut = [&](int k) { return k * clients / count; };
  return {cut(rank), cut(rank + 1) - cut(rank)};
}

}  // namespace doc2s::testing
