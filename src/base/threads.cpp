#include "doc2s/base/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

thread_local const Threads* inside_a_part_of = nullptr;

}  // namespace

int usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

Threads::Threads(int count) {
  const int total = count > 0 ? count : usable_cores();
  try {
    for (int k = 1; k < total; ++k) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    const auto had = workers_.size() + 1;
    end();
    throw MachineError("only " + std::to_string(had) + " of " + std::to_string(total) + " threads can be had",
                       "", "take fewer run.threads");
  }
}

Threads::~Threads() { end(); }

void Threads::end() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void Threads::each(Index parts, const std::function<void(Index)>& f) {
  if (workers_.empty() || parts <= 1 || inside_a_part_of == this) {
    for (Index part = 0; part < parts; ++part) f(part);
    return;
  }
  std::unique_lock lock(mutex_);
  job_ = &f;
  parts_ = parts;
  next_ = 0;
  ++round_;
  busy_ = static_cast<int>(workers_.size());
  lock.unlock();
  wake_.notify_all();
  run_parts();
  lock.lock();
  done_.wait(lock, [this] { return busy_ == 0; });
  job_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Threads::work() {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
    }
    run_parts();
    std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void Threads::run_parts() {
  const Threads* const outer = std::exchange(inside_a_part_of, this);
  for (;;) {
    Index part;
    {
      std::lock_guard lock(mutex_);
      if (next_ >= parts_) break;
      part = next_++;
    }
    try {
      (*job_)(part);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_ = parts_;
    }
  }
  inside_a_part_of = outer;
}

}  // namespace doc2s
