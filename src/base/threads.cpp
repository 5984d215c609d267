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

Threads::Threads(int count)
    : total_(count > 0 ? count : usable_cores()), patient_(total_ <= usable_cores()), shares_(total_) {
  try {
    for (int k = 1; k < total_; ++k) workers_.emplace_back([this, k] { work(k); });
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
  stop_ = true;
  ++round_;
  wake_sleepers();
  for (auto& worker : workers_) worker.join();
}

// Who goes to sleep says so and then looks once more whether there is a new round; here it is the other way
// round. So one of the two sees the other.
void Threads::wake_sleepers() {
  if (asleep_ == 0) return;
  std::lock_guard{mutex_};
  wake_.notify_all();
}

void Threads::each(Index parts, const Job& f, Index numbers) {
  if (workers_.empty() || parts <= 1 || parts * numbers < worth_a_thread || inside_a_part_of == this) {
    FirstFailure failure;
    for (Index part = 0; part < parts; ++part) failure.run(f, part);
    return failure.rethrow();
  }
  share_out(parts);
  job_ = &f;
  ++round_;
  wake_sleepers();
  run_parts(f, 0);
  await_helpers();
  failure_.rethrow();
}

void Threads::FirstFailure::run(const Job& job, Index part) try { job(part); } catch (...) {
  const std::lock_guard lock(mutex_);
  if (what_ && part_ < part) return;
  part_ = part;
  what_ = std::current_exception();
}

void Threads::FirstFailure::rethrow() {
  if (what_) std::rethrow_exception(std::exchange(what_, nullptr));
}

// Who has not come by now need not come: all parts are begun.
void Threads::await_helpers() {
  job_ = nullptr;
  if (came_soon([this] { return helpers_ == 0; })) return;
  std::unique_lock lock(mutex_);
  caller_sleeps_ = true;
  done_.wait(lock, [this] { return helpers_ == 0; });
  caller_sleeps_ = false;
}

template <class Condition>
bool Threads::came_soon(Condition condition) const {
  for (int look = 0; patient_ && look < looks + looks_that_let_others_run; ++look) {
    if (condition()) return true;
    look < looks ? pause() : std::this_thread::yield();
  }
  return condition();
}

void Threads::work(int thread) {
  for (std::uint64_t seen = 0;;) {
    if (!came_soon([&] { return round_ != seen; })) sleep_until_round_after(seen);
    if (stop_) return;
    seen = round_;
    help(thread);
  }
}

void Threads::sleep_until_round_after(std::uint64_t seen) {
  std::unique_lock lock(mutex_);
  ++asleep_;
  wake_.wait(lock, [&] { return round_ != seen; });
  --asleep_;
}

// A helper comes forward and then looks for the job; the caller takes the job away and then looks for
// helpers. So either the helper sees that the job is gone or the caller waits for it.
void Threads::help(int thread) {
  ++helpers_;
  if (const Job* const job = job_) run_parts(*job, thread);
  if (--helpers_ > 0 || !caller_sleeps_) return;
  std::lock_guard{mutex_};
  done_.notify_one();
}

void Threads::share_out(Index parts) {
  for (int k = 0; k < total_; ++k) {
    shares_[k].next = k * parts / total_;
    shares_[k].end = (k + 1) * parts / total_;
  }
}

void Threads::run_parts(const Job& job, int thread) {
  const Threads* const outer = std::exchange(inside_a_part_of, this);
  for (int k = 0; k < total_; ++k) {
    Share& share = shares_[(thread + k) % total_];
    for (Index part; (part = share.next++) < share.end;) failure_.run(job, part);
  }
  inside_a_part_of = outer;
}

}  // namespace doc2s
