// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

int usable_cores();  // that the system lets this process run on

// A pool of threads for loops whose parts write to different places. A part must not depend on the thread
// that does it; then the result has the same bits on any number of threads.
class Threads {
 public:
  explicit Threads(int count = 0);  // 0: as many as there are cores
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  int count() const { return total_; }

  // A reference to a function of a part's number.
  class Job {
   public:
    template <class F>
    Job(const F& f) : f_(&f), call_([](const void* f, Index part) { (*static_cast<const F*>(f))(part); }) {}
    void operator()(Index part) const { call_(f_, part); }

   private:
    friend Threads;
    using Call = void (*)(const void*, Index);
    Job(const void* f, Call call) : f_(f), call_(call) {}

    const void* f_;
    Call call_;
  };

  // A copy of such a function, of at most 24 bytes; or nothing.
  class Ahead {
   public:
    Ahead() : words_{}, call_(nullptr) {}
    template <class F>
    requires(sizeof(F) <= 24 && std::is_trivially_copyable_v<F>) Ahead(const F& f)
        : call_([](const void* f, Index part) { (*static_cast<const F*>(f))(part); }) {
      std::memcpy(words_.data(), &f, sizeof f);
    }
    explicit operator bool() const { return call_ != nullptr; }
    void operator()(Index part) const { call_(words_.data(), part); }

   private:
    friend Threads;
    using Words = std::array<std::uint64_t, 3>;
    Words words_;
    Job::Call call_;
  };

  // f(0), …, f(parts − 1), each once; the calling thread takes part. Each thread has its own range of parts,
  // the same in every call, so that their data stays in its cache. It does the first and the last part of the
  // range before the others, because other threads may read what is written there. After waiting a moment, it
  // takes parts that others left. If parts fail, the others are done all the same, so that the result does
  // not depend on the threads; then the exception of the first failed part is thrown here. A call from inside
  // a part runs in that part's thread. `numbers` is the size of a part: if all parts together are small, the
  // caller does them alone. `ahead` prepares a part for the next call. A waiting thread calls it for the
  // first part of its range; it may still run after this call, until settle() or the next call.
  void each(Index parts, const Job& f, Index numbers = worth_a_thread, const Ahead& ahead = {});
  void settle() const;  // waits until no thread runs `ahead`

  static constexpr Index worth_a_thread = 32 * 1024;  // numbers, some microseconds of work

 private:
  // Of the parts that fail, the first one's exception.
  class FirstFailure {
   public:
    void run(const Job& job, Index part);
    void rethrow();

   private:
    std::mutex mutex_;
    std::exception_ptr what_;
    Index part_ = 0;
  };

  // A cache line that one thread writes and another reads takes some 60 ns from core to core. So all that a
  // worker reads of a round is in one line, and so is all that it writes.
  using Number = std::uint32_t;  // of a round, from 1; wraps around after 2³²
  struct Round {
    Number number;
    Job job;
    Index parts;
    Ahead ahead;
  };
  class alignas(64) Board {
   public:
    void put_up(const Round& round);
    Number number() const { return number_; }
    Round read() const;

   private:
    std::atomic<Number> number_ = 0;
    std::atomic<Number> begun_ = 0;  // differs from number_ while the rest is being written
    std::atomic<const void*> f_ = nullptr;
    std::atomic<Job::Call> call_ = nullptr;  // null: the pool ends
    std::atomic<Index> parts_ = 0;
    std::atomic<Job::Call> ahead_call_ = nullptr;
    std::array<std::atomic<std::uint64_t>, 3> ahead_words_{};
  };
  static_assert(sizeof(Board) == 64);
  // A round's number and how many, in one word.
  class Count {
   public:
    Count(Number round, Index count)
        : word_(std::uint64_t{round} << 32 | static_cast<std::uint32_t>(count)) {}
    Number round() const { return static_cast<Number>(word_ >> 32); }
    Index count() const { return static_cast<std::uint32_t>(word_); }

   private:
    std::uint64_t word_;
  };
  struct alignas(64) Run {
    std::atomic<Count> left = Count(0, 0);              // parts of the thread's range that are not started
    std::atomic<bool> is_ahead = false;                 // the thread runs `ahead`, or is about to
    alignas(64) std::atomic<Count> done = Count(0, 0);  // parts that the thread did, of any range
  };

  void end();
  void work(int thread);
  void wake_sleepers();
  Index begin(int thread, Index parts) const { return thread * parts / total_; }  // of its range
  Index run_parts(const Round& round, int run);
  Index run_parts_of_others(const Round& round, int thread);
  Index claim(const Round& round, int run);
  void go_ahead(const Round& round, int thread) const;
  bool is_done(const Round& round, Index by_caller) const;
  void await_helpers(const Round& round, Index by_caller);
  void report(int thread, Count done);
  void sleep_until_round_after(Number seen);
  template <class Condition>
  bool came_within(int looks, Condition condition) const;

  const int total_;
  const bool patient_;  // there is a core for each thread: waiting threads stay awake for a while
  std::vector<std::thread> workers_;
  std::vector<Run> runs_;  // one a thread
  FirstFailure failure_;
  Board board_;
  alignas(64) std::mutex mutex_;  // for sleeping threads
  std::condition_variable wake_, done_;
  std::atomic<int> asleep_ = 0;  // workers
  std::atomic<bool> caller_sleeps_ = false;
};

}  // namespace doc2s
