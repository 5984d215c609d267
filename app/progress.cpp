// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <system_error>

#include "aside.hpp"
#include "numbers.hpp"

namespace doc2s::app {

namespace {

constexpr double seconds_between_renewals = 0.1, seconds_between_plain_lines = 5, seconds_without_news = 2;
constexpr std::chrono::milliseconds between_looks{500};

std::string time_left(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s left", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min left", seconds / 60);
  return fmt::format("{:.1f} h left", seconds / 3600);
}

// As much as the terminal has in a line: a longer one could not be taken away.
std::string fitted(const std::string& text) {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return text;
  int characters = 0;
  for (std::size_t k = 0; k < text.size(); ++k)
    if ((static_cast<unsigned char>(text[k]) & 0xc0) != 0x80 && ++characters == size.ws_col)
      return text.substr(0, k);
  return text;
}

}  // namespace

ProgressLine::ProgressLine(bool quiet, std::string what)
    : style_(quiet                   ? Style::none
             : isatty(STDERR_FILENO) ? Style::renewed
                                     : Style::plain),
      text_(std::move(what)) {
  if (style_ == Style::renewed) begin();
}

// Signals stay with the threads that had them.
void ProgressLine::begin() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {  // no thread is to be had: then news alone is shown
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ProgressLine::~ProgressLine() {
  clear();
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ends_.notify_one();
  if (watcher_.joinable()) watcher_.join();
}

double ProgressLine::since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

double ProgressLine::pause() const {
  return style_ == Style::plain ? seconds_between_plain_lines : seconds_between_renewals;
}

void ProgressLine::watch() {
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, between_looks, [&] { return over_; }))
    if (!text_.empty() && since(news_) >= seconds_without_news && since(last_) >= pause())
      put(fmt::format("{} … {:.0f} s", text_, since(news_)));
}

void ProgressLine::put(const std::string& text) {
  const bool renewed = style_ == Style::renewed;
  aside("{}{}{}", renewed ? "\r\x1b[K" : "", renewed ? fitted(text) : text, renewed ? "" : "\n");
  shown_ = renewed;
  last_ = Clock::now();
}

void ProgressLine::take(const std::string& text) {
  text_ = text;
  news_ = Clock::now();
  if (since(last_) >= pause()) put(text);
}

void ProgressLine::show(const std::string& text) {
  if (style_ == Style::none) return;
  const std::lock_guard lock(mutex_);
  take(text);
}

void ProgressLine::show(const Progress& progress) {
  if (style_ == Style::none) return;
  const std::lock_guard lock(mutex_);
  if (first_ && since(news_) < seconds_between_renewals) return;
  if (!first_) first_ = progress;
  const double elapsed = since(start_), share = progress.share - first_->share;
  const auto done =
      static_cast<double>(progress.record.whole("iteration") - first_->record.whole("iteration"));
  take(fmt::format("iteration {}  loss {:.4f}  {} iterations/s  {}",
                   with_commas(progress.record.whole("iteration")), progress.record["loss_mean_point"],
                   with_commas(static_cast<Index>(done / elapsed)),
                   share > 0 ? time_left(elapsed * std::max(0.0, 1 - progress.share) / share) : ""));
}

void ProgressLine::take_away() {
  if (shown_) aside("\r\x1b[K");
  shown_ = false;
}

void ProgressLine::lift() {
  const std::lock_guard lock(mutex_);
  take_away();
}

void ProgressLine::clear(const std::string& next) {
  const std::lock_guard lock(mutex_);
  take_away();
  text_ = next;
  news_ = Clock::now();
}

}  // namespace doc2s::app
