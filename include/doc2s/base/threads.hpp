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

  // f(0), …, f(parts − 1), each once; the calling thread helps. The first exception is thrown again here. A
  // call from inside a part runs in that part's thread. `numbers` are what a part works on: where all parts
  // together are too few to be worth the others' attention, the caller does them alone.
  void each(Index parts, const std::function<void(Index)>& f, Index numbers = worth_a_thread);

  static constexpr Index worth_a_thread = 32 * 1024;  // numbers, some microseconds of work

 private:
  using Job = std::function<void(Index)>;

  void end();
  void work();
  void run_parts(const Job& job, Index parts);
  void await_helpers();
  template <class Condition>
  bool came_soon(Condition condition) const;

  const int total_;
  const bool patient_;  // there is a core for each: who waits may stay awake for a while
  std::vector<std::thread> workers_;
  std::mutex mutex_;  // of all below but the atomic ones
  std::condition_variable wake_, done_;
  const Job* job_ = nullptr;  // null: it is finished but for the parts that helpers have begun
  Index parts_ = 0;
  std::atomic<Index> next_ = 0;  // part
  std::atomic<std::uint64_t> round_ = 0;
  std::atomic<int> helpers_ = 0;  // workers at the job
  int asleep_ = 0;                // workers
  bool stop_ = false;
  std::exception_ptr failure_;
};

}  // namespace doc2s
