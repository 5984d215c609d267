// SPDX-License-Identifier: Apache-2.0
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

// Waking a thread takes some 10 µs, longer than a small job. So a waiting thread first spins, then pauses,
// then yields. It leaves parts of other threads alone for a moment: they would take longer here, where their
// data is not in cache.
constexpr int looks_without_pause = 64, in_a_moment = 96, looks_without_yielding = 256, soon = 320;

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
    : total_(count > 0 ? count : usable_cores()), patient_(total_ <= usable_cores()), runs_(total_) {
  try {
    for (int k = 1; k < total_; ++k) workers_.emplace_back([this, k] { work(k); });
  } catch (const std::system_error&) {
    const auto had = workers_.size() + 1;
    end();
    throw MachineError(
        "only " + std::to_string(had) + " of " + std::to_string(total_) + " threads could be started", "",
        "reduce run.threads");
  }
}

Threads::~Threads() { end(); }

void Threads::end() {
  {
    const std::lock_guard lock(
        mutex_);  // a thread that is about to sleep has not checked yet, or gets notified
    board_.put_up({board_.number() + 1, Job(nullptr, nullptr), 0, {}});
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void Threads::each(Index parts, const Job& f, Index numbers, const Ahead& ahead) {
  if (workers_.empty() || parts <= 1 || parts * numbers < worth_a_thread || inside_a_part_of == this) {
    FirstFailure failure;
    for (Index part = 0; part < parts; ++part) failure.run(f, part);
    return failure.rethrow();
  }
  const Round round{board_.number() + 1, f, parts, ahead};
  board_.put_up(round);
  wake_sleepers();
  Index done = run_parts(round, 0);
  if (ahead && !is_done(round, done)) go_ahead(round, 0);
  if (!came_within(in_a_moment, [&] { return is_done(round, done); })) done += run_parts_of_others(round, 0);
  await_helpers(round, done);
  failure_.rethrow();
}

// A reader in between finds the two numbers different and reads again.
void Threads::Board::put_up(const Round& round) {
  begun_.store(round.number, std::memory_order_release);
  f_.store(round.job.f_, std::memory_order_release);
  call_.store(round.job.call_, std::memory_order_release);
  parts_.store(round.parts, std::memory_order_release);
  ahead_call_.store(round.ahead.call_, std::memory_order_release);
  for (std::size_t k = 0; round.ahead && k < ahead_words_.size(); ++k)
    ahead_words_[k].store(round.ahead.words_[k], std::memory_order_release);
  number_ = round.number;
}

Threads::Round Threads::Board::read() const {
  for (;;) {
    const Number number = number_;
    Round round{number,
                Job(f_.load(std::memory_order_acquire), call_.load(std::memory_order_acquire)),
                parts_.load(std::memory_order_acquire),
                {}};
    round.ahead.call_ = ahead_call_.load(std::memory_order_acquire);
    for (std::size_t k = 0; round.ahead && k < ahead_words_.size(); ++k)
      round.ahead.words_[k] = ahead_words_[k].load(std::memory_order_acquire);
    if (begun_.load(std::memory_order_acquire) == number) return round;
    pause();
  }
}

// A worker sets asleep_ and then checks for a new round; here the order is reversed, so one of them sees the
// other.
void Threads::wake_sleepers() {
  if (asleep_ == 0) return;
  std::lock_guard{mutex_};
  wake_.notify_all();
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

bool Threads::is_done(const Round& round, Index by_caller) const {
  Index done = by_caller;
  for (int k = 1; k < total_; ++k) {
    const Count count = runs_[k].done;
    if (count.round() == round.number) done += count.count();
  }
  return done == round.parts;
}

// All parts are started by now: late workers need not come.
void Threads::await_helpers(const Round& round, Index by_caller) {
  const auto all_done = [&] { return is_done(round, by_caller); };
  if (came_within(soon, all_done)) return;
  std::unique_lock lock(mutex_);
  caller_sleeps_ = true;
  done_.wait(lock, all_done);
  caller_sleeps_ = false;
}

template <class Condition>
bool Threads::came_within(int looks, Condition condition) const {
  for (int look = 0; patient_ && look < looks; ++look) {
    if (condition()) return true;
    if (look < looks_without_pause) continue;
    look < looks_without_yielding ? pause() : std::this_thread::yield();
  }
  return condition();
}

void Threads::work(int thread) {
  Number seen = 0;
  const auto new_round = [&] { return board_.number() != seen; };
  for (;;) {
    if (!came_within(soon, new_round)) sleep_until_round_after(seen);
    const Round round = board_.read();
    if (!round.job.call_) return;
    seen = round.number;
    const Index own = run_parts(round, thread);
    const bool ahead = round.ahead && own > 0;
    if (ahead)
      runs_[thread].is_ahead.store(true, std::memory_order_relaxed);  // visible together with the report
    if (own > 0) report(thread, {seen, own});
    if (ahead) {
      go_ahead(round, thread);
      runs_[thread].is_ahead.store(false, std::memory_order_release);
    }
    if (came_within(in_a_moment, new_round)) continue;
    if (const Index more = run_parts_of_others(round, thread)) report(thread, {seen, own + more});
  }
}

void Threads::sleep_until_round_after(Number seen) {
  std::unique_lock lock(mutex_);
  ++asleep_;
  wake_.wait(lock, [&] { return board_.number() != seen; });
  --asleep_;
}

// The caller sets caller_sleeps_ and then checks whether all is done; here the order is reversed, so one of
// them sees the other.
void Threads::report(int thread, Count done) {
  runs_[thread].done = done;
  if (!caller_sleeps_) return;
  std::lock_guard{mutex_};
  done_.notify_one();
}

// Does the parts of a thread's range that are not started; returns their number.
Index Threads::run_parts(const Round& round, int run) {
  const Threads* const outer = std::exchange(inside_a_part_of, this);
  Index done = 0;
  for (Index part; (part = claim(round, run)) >= 0; ++done) failure_.run(round.job, part);
  inside_a_part_of = outer;
  return done;
}

Index Threads::run_parts_of_others(const Round& round, int thread) {
  Index done = 0;
  for (int k = 1; k < total_; ++k) done += run_parts(round, (thread + k) % total_);
  return done;
}

// A failure will occur again where the part is needed.
void Threads::go_ahead(const Round& round, int thread) const {
  const Threads* const outer = std::exchange(inside_a_part_of, this);
  try {
    round.ahead(begin(thread, round.parts));
  } catch (...) {
  }
  inside_a_part_of = outer;
}

void Threads::settle() const {
  for (const Run& run : runs_)
    while (run.is_ahead) std::this_thread::yield();
}

// The next part of a thread's range; −1 if all are started. The first thread of a round sets their number; a
// thread that is late, when the round is over, finds none left.
Index Threads::claim(const Round& round, int run) {
  const Index first = begin(run, round.parts), end = begin(run + 1, round.parts);
  std::atomic<Count>& left = runs_[run].left;
  for (Count now = left.load(std::memory_order_relaxed);;) {
    const auto ahead = static_cast<std::int32_t>(now.round() - round.number);
    const Index rest = ahead == 0 ? now.count() : end - first;
    if (ahead > 0 || (ahead == 0 && rest == 0)) return -1;
    const Count next(round.number, std::max<Index>(rest - 1, 0));
    if (!left.compare_exchange_weak(now, next, std::memory_order_relaxed) || rest == 0) continue;
    const Index begun = end - first - rest;
    return begun == 1 ? end - 1 : first + begun - (begun > 1);
  }
}

}  // namespace doc2s
