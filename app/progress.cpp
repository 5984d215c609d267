#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "aside.hpp"
#include "numbers.hpp"

namespace doc2s::app {

namespace {

constexpr double seconds_between_renewals = 0.1, seconds_between_plain_lines = 5;

std::string time_left(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s left", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min left", seconds / 60);
  return fmt::format("{:.1f} h left", seconds / 3600);
}

}  // namespace

ProgressLine::ProgressLine(bool quiet)
    : style_(quiet                   ? Style::none
             : isatty(STDERR_FILENO) ? Style::renewed
                                     : Style::plain) {}

double ProgressLine::since(Clock::time_point then) const {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

bool ProgressLine::due() {
  const double pause = style_ == Style::plain ? seconds_between_plain_lines : seconds_between_renewals;
  if (style_ == Style::none || since(last_) < pause) return false;
  last_ = Clock::now();
  return true;
}

void ProgressLine::put(const std::string& text) {
  const bool renewed = style_ == Style::renewed;
  aside("{}{}{}", renewed ? "\r\x1b[K" : "", text, renewed ? "" : "\n");
  shown_ = renewed;
}

void ProgressLine::show(const std::string& text) {
  if (due()) put(text);
}

void ProgressLine::show(const Progress& progress) {
  if (!first_) first_ = progress;
  if (!due()) return;
  const double elapsed = since(start_), share = progress.share - first_->share;
  const auto done =
      static_cast<double>(progress.record.whole("iteration") - first_->record.whole("iteration"));
  put(fmt::format("iteration {}  loss {:.4f}  {} iterations/s  {}",
                  with_commas(progress.record.whole("iteration")), progress.record["loss_mean_point"],
                  with_commas(static_cast<Index>(done / elapsed)),
                  share > 0 ? time_left(elapsed * std::max(0.0, 1 - progress.share) / share) : ""));
}

void ProgressLine::clear() {
  if (shown_) aside("\r\x1b[K");
  shown_ = false;
}

}  // namespace doc2s::app
