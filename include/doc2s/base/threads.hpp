#pragma once
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

  int count() const { return static_cast<int>(workers_.size()) + 1; }

  // f(0), …, f(parts − 1), each once; the calling thread helps. The first exception is thrown again here. A
  // call from inside a part runs in that part's thread.
  void each(Index parts, const std::function<void(Index)>& f);

 private:
  void end();
  void work();
  void run_parts();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(Index)>* job_ = nullptr;
  Index parts_ = 0, next_ = 0;
  std::uint64_t round_ = 0;
  int busy_ = 0;
  bool stop_ = false;
  std::exception_ptr failure_;
};

}  // namespace doc2s
