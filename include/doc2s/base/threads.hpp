#pragma once
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

int usable_cores();  // that the system lets this process run on

// A pool of threads for loops whose parts write to different places. Which thread does which part is left
// open, so a part must not depend on it; then the result has the same bits on any number of threads.
class Threads {
 public:
  explicit Threads(int count = 0);  // 0: as many as there are cores
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  int count() const { return total_; }

  // f(0), …, f(parts − 1), each once; the calling thread helps. Each thread begins with its own run of parts,
  // the same one in every call, so that its cache knows what they work on, and then takes what others left.
  // Where some fail, the others are done all the same, so that what is left behind does not depend on the
  // threads either; then the first one's exception is thrown again here. A call from inside a part runs in
  // that part's thread. `numbers` are what a part works on: where all parts together are too few to be worth
  // the others' attention, the caller does them alone.
  void each(Index parts, const std::function<void(Index)>& f, Index numbers = worth_a_thread);

  static constexpr Index worth_a_thread = 32 * 1024;  // numbers, some microseconds of work

 private:
  using Job = std::function<void(Index)>;

  void end();
  void work(int thread);
  void wake_sleepers();
  void share_out(Index parts);
  void run_parts(const Job& job, int thread);
  void help(int thread);
  void await_helpers();
  void sleep_until_round_after(std::uint64_t seen);
  template <class Condition>
  bool came_soon(Condition condition) const;

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
  struct alignas(64) Share {
    std::atomic<Index> next = 0;  // part
    Index end = 0;
  };

  const int total_;
  const bool patient_;  // there is a core for each: who waits may stay awake for a while
  std::vector<std::thread> workers_;
  std::vector<Share> shares_;  // a run of parts for each thread
  std::mutex mutex_;           // for those who sleep
  std::condition_variable wake_, done_;
  FirstFailure failure_;
  alignas(64) std::atomic<std::uint64_t> round_ = 0;
  std::atomic<const Job*> job_ = nullptr;  // null: it is finished but for the parts that helpers have begun
  std::atomic<int> asleep_ = 0;            // workers
  std::atomic<bool> caller_sleeps_ = false, stop_ = false;
  alignas(64) std::atomic<int> helpers_ =
      0;  // workers that are at the job, or are looking whether there is one
};

}  // namespace doc2s
