// SPDX-License-Identifier: Apache-2.0
#include "long_work.hpp"

#include <fmt/format.h>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

constexpr std::chrono::milliseconds between_news{100};

thread_local Listener* listening = nullptr;

}  // namespace

Listener::Listener(const std::atomic<bool>* stop, Tell tell)
    : stop_(stop), tell_(std::move(tell)), outer_(listening), next_(begun_ + between_news) {
  listening = this;
}

Listener::~Listener() { listening = outer_; }

void Listener::hear(const std::string& what, double share) {
  if (stop_ && *stop_ && Clock::now() - begun_ > moment) throw Interrupted("interrupted while " + what);
  if (!tell_ || Clock::now() < next_) return;
  next_ = Clock::now() + between_news;
  tell_(share < 0 ? what : fmt::format("{}, {:.0f}%", what, 100 * share));
}

void LongWork::go_on(double share) const {
  if (listening) listening->hear(what_, share);
}

}  // namespace doc2s
