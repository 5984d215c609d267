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

// Waking a thread that sleeps takes the system some 10 µs, longer than a small job: who waits looks about
// first.
constexpr int looks = 256, looks_that_let_others_run = 64;

void pause() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

}  // namespace

int usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

Threads::Threads(int count) : total_(count > 0 ? count : usable_cores()), patient_(total_ <= usable_cores()) {
  try {
    for (int k = 1; k < total_; ++k) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    const auto had = workers_.size() + 1;
    end();
    throw MachineError(
        "only " + std::to_string(had) + " of " + std::to_string(total_) + " threads can be had", "",
        "take fewer run.threads");
  }
}

Threads::~Threads() { end(); }

void Threads::end() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    ++round_;
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void Threads::each(Index parts, const Job& f, Index numbers) {
  if (workers_.empty() || parts <= 1 || parts * numbers < worth_a_thread || inside_a_part_of == this) {
    for (Index part = 0; part < parts; ++part) f(part);
    return;
  }
  std::unique_lock lock(mutex_);
  job_ = &f;
  parts_ = parts;
  next_ = 0;
  ++round_;
  const bool somebody_sleeps = asleep_ > 0;
  lock.unlock();
  if (somebody_sleeps) wake_.notify_all();
  run_parts(f, parts);
  await_helpers();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

// Who has not come by now need not come: all parts are begun.
void Threads::await_helpers() {
  std::unique_lock lock(mutex_);
  job_ = nullptr;
  lock.unlock();
  if (came_soon([this] { return helpers_ == 0; })) return;
  lock.lock();
  done_.wait(lock, [this] { return helpers_ == 0; });
}

template <class Condition>
bool Threads::came_soon(Condition condition) const {
  for (int look = 0; patient_ && look < looks + looks_that_let_others_run; ++look) {
    if (condition()) return true;
    look < looks ? pause() : std::this_thread::yield();
  }
  return condition();
}

void Threads::work() {
  std::uint64_t seen = 0;
  for (;;) {
    came_soon([&] { return round_ != seen; });
    std::unique_lock lock(mutex_);
    ++asleep_;
    wake_.wait(lock, [&] { return round_ != seen; });
    --asleep_;
    if (stop_) return;
    seen = round_;
    if (!job_) continue;
    ++helpers_;
    const Job& job = *job_;
    const Index parts = parts_;
    lock.unlock();
    run_parts(job, parts);
    lock.lock();
    if (--helpers_ == 0) done_.notify_one();
  }
}

void Threads::run_parts(const Job& job, Index parts) {
  const Threads* const outer = std::exchange(inside_a_part_of, this);
  for (Index part; (part = next_++) < parts;) {
    try {
      job(part);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_ = parts;
    }
  }
  inside_a_part_of = outer;
}

}  // namespace doc2s
