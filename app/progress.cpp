#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace doc2s::app {

namespace {

constexpr double seconds_between_renewals = 0.1, seconds_between_plain_lines = 5;

std::string time_left(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s left", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min left", seconds / 60);
  return fmt::format("{:.1f} h left", seconds / 3600);
}

}  // namespace

std::string with_commas(Index number) {
  std::string text = std::to_string(number);
  for (auto at = static_cast<Index>(text.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string bytes_in_words(Index number) {
  constexpr const char* units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  auto amount = static_cast<double>(number);
  int unit = 0;
  for (; amount >= 1000 && unit < 5; ++unit) amount /= 1000;
  return fmt::format("{:.3g} {}", amount, units[unit]);
}

ProgressLine::ProgressLine(bool quiet)
    : style_(quiet                   ? Style::none
             : isatty(STDERR_FILENO) ? Style::renewed
                                     : Style::plain) {}

double ProgressLine::since(Clock::time_point then) const {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

void ProgressLine::show(const Progress& progress) {
  if (!first_) first_ = progress;
  const double pause = style_ == Style::plain ? seconds_between_plain_lines : seconds_between_renewals;
  if (style_ == Style::none || since(last_) < pause) return;
  last_ = Clock::now();
  const double elapsed = since(start_), share = progress.share - first_->share;
  const auto done = static_cast<double>(progress.counts.iteration - first_->counts.iteration);
  const std::string text =
      fmt::format("iteration {}  loss {:.4f}  {} iterations/s  {}", with_commas(progress.counts.iteration),
                  progress.measures.loss_mean_point, with_commas(static_cast<Index>(done / elapsed)),
                  share > 0 ? time_left(elapsed * (1 - progress.share) / share) : "");
  const bool renewed = style_ == Style::renewed;
  fmt::print(stderr, "{}{}{}", renewed ? "\r\x1b[K" : "", text, renewed ? "" : "\n");
  std::fflush(stderr);
  shown_ = renewed;
}

void ProgressLine::clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace doc2s::app
