// SPDX-License-Identifier: Apache-2.0
#include "figure_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/with_commas.hpp"

namespace doc2s {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Unit {
  double factor;
  std::string name;
};

Unit unit_for(Quantity::Format format, double largest) {
  constexpr const char* counts[] = {"", "thousands", "millions", "billions", "10¹²", "10¹⁵"};
  constexpr const char* bytes[] = {"", "kB", "MB", "GB", "TB", "PB"};
  if (format == Quantity::Format::seconds) return {1, ""};
  const bool in_bytes = format == Quantity::Format::bytes;
  const double written_out_below = in_bytes ? 1e3 : 1e6;
  const double thousands = largest < written_out_below ? 0 : std::floor(std::log10(largest) / 3);
  const auto k = static_cast<int>(std::min(thousands, 5.0));
  return {std::pow(1e-3, k), in_bytes ? bytes[k] : counts[k]};
}

// 1, 2 or 5 times a power of ten.
double nice_step(double span, int wanted) {
  const double rough = span / wanted, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power * (1 + 1e-9)) return factor * power;
  return 10 * power;
}

std::string superscript(int number) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number))) text += digits[digit - '0'];
  return text;
}

// 20,000 · 0.25 · 2×10⁻⁵
std::string number_text(double value, double step) {
  if (std::abs(value) < step / 1e3) return "0";
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  if (decimals > 4 || std::abs(value) >= 1e7) {
    const int power = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    return fmt::format("{:g}×10{}", std::round(value / std::pow(10, power) * 1e3) / 1e3, superscript(power));
  }
  if (decimals > 0) return fmt::format("{:.{}f}", value, decimals);
  return with_commas(static_cast<Index>(std::llround(value)));
}

void add_linear_ticks(FigureAxis& axis, int wanted, bool percent) {
  const double scale = percent ? 100 : 1, low = axis.low * scale, high = axis.high * scale;
  const double step = nice_step(high - low, wanted);
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + step * 1e-9; ++k)
    axis.ticks.push_back({k * step / scale, number_text(k * step, step) + (percent ? " %" : "")});
}

// Decades, some of them where there are many; within less than two decades also 2 and 5 times a decade,
// within less than one those of a linear axis.
void add_log_ticks(FigureAxis& axis, int wanted) {
  const double decades = std::log10(axis.high / axis.low);
  if (decades < 1) return add_linear_ticks(axis, wanted, false);
  const int every = std::max(1, static_cast<int>(std::ceil(decades / 7)));
  for (int power = static_cast<int>(std::floor(std::log10(axis.low))); power <= std::log10(axis.high);
       ++power) {
    if (power % every != 0) continue;
    for (const int factor : {1, 2, 5}) {
      const double place = factor * std::pow(10, power);
      if (place < axis.low || place > axis.high || (factor > 1 && decades > 2)) continue;
      const std::string ten = "10" + superscript(power);
      axis.ticks.push_back({place, factor == 1 ? ten : fmt::format("{}×{}", factor, ten)});
    }
  }
}

struct Range {
  double low = infinity, high = -infinity;
  void widen(double value) {
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  }
  bool is_wide() const { return low > 0 && high > std::pow(10, 1.5) * low; }
};

template <class Use>
void for_each_value(const std::vector<Curve>& curves, const Use& use) {
  for (const auto& curve : curves)
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      use(curve, k, curve.y[k]);
      if (!curve.low.empty()) use(curve, k, curve.low[k]), use(curve, k, curve.high[k]);
    }
}

double largest_start(const std::vector<Curve>& curves) {
  double largest = -infinity;
  for (const auto& curve : curves) {
    const auto first = std::ranges::find_if(curve.y, [](double y) { return std::isfinite(y); });
    if (first != curve.y.end()) largest = std::max(largest, *first);
  }
  return largest;
}

double lowest_after_the_climb(const std::vector<Curve>& curves) {
  double shortest = infinity, lowest = infinity;
  for (const auto& curve : curves)
    if (!curve.x.empty()) shortest = std::min(shortest, curve.x.back());
  for (const auto& curve : curves)
    for (std::size_t k = 0; k < curve.x.size(); ++k)
      if (curve.x[k] >= 0.2 * shortest && std::isfinite(curve.y[k])) lowest = std::min(lowest, curve.y[k]);
  return lowest;
}

Range value_range(const std::vector<Curve>& curves, const Quantity& measure, bool logarithmic) {
  Range range;
  for_each_value(curves, [&](const Curve&, std::size_t, double value) {
    if (!logarithmic || value > 0) range.widen(value);
  });
  const double start = largest_start(curves), most = start + std::abs(start);  // losses may be negative
  const double least = lowest_after_the_climb(curves);
  if (measure.format == Quantity::Format::loss && range.low < most) range.high = std::min(range.high, most);
  if (measure.format == Quantity::Format::share && least < range.high) range.low = std::max(range.low, least);
  return range;
}

// A margin of a twentieth on both sides.
void set_range(FigureAxis& axis, const Range& range) {
  if (axis.logarithmic) {
    const double factor = range.high > range.low ? std::pow(range.high / range.low, 0.05) : 1.5;
    axis.low = range.low / factor, axis.high = range.high * factor;
    return;
  }
  const double width = range.high - range.low;
  const double margin =
      width > 1e-9 * std::abs(range.high) ? 0.05 * width : std::abs(range.high) * 0.1 + 1e-6;
  axis.low = range.low - margin, axis.high = range.high + margin;
}

}  // namespace

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::size_t FigureAxis::longest_tick() const {
  std::size_t longest = 0;
  for (const auto& tick : ticks) longest = std::max(longest, characters(tick.text));
  return longest;
}

FigureAxis figure_x_axis(const std::vector<Curve>& curves, const Quantity& axis, double up_to,
                         bool logarithmic) {
  Range places, ends;
  for (const auto& curve : curves) {
    for (const double x : curve.x)
      if (x > 0) places.widen(x);
    if (!curve.x.empty() && curve.x.back() > 0) ends.widen(curve.x.back());
  }
  const double end = up_to > 0 ? up_to : places.high;
  FigureAxis made;
  made.logarithmic = places.low < end && (logarithmic || ends.is_wide());
  if (made.logarithmic) {
    made.low = 0.95 * places.low, made.high = end, made.title = axis.title;
    add_log_ticks(made, 5);
    return made;
  }
  const Unit unit = unit_for(axis.format, end);
  made.factor = unit.factor;
  made.high = end > 0 ? end * unit.factor : 1;
  made.title = unit.name.empty() ? axis.title : fmt::format("{} ({})", axis.title, unit.name);
  add_linear_ticks(made, 5, false);
  return made;
}

FigureAxis figure_y_axis(const std::vector<Curve>& curves, const Quantity& measure, bool logarithmic) {
  FigureAxis made;
  made.title = measure.title;
  const Range positive = value_range(curves, measure, true), all = value_range(curves, measure, false);
  logarithmic = logarithmic || measure.format == Quantity::Format::norm ||
                (measure.format == Quantity::Format::loss && all.is_wide());
  made.logarithmic = logarithmic && positive.low <= positive.high;
  const Range& range = made.logarithmic ? positive : all;
  if (range.low <= range.high) set_range(made, range);
  if (made.logarithmic) add_log_ticks(made, 6);
  if (made.ticks.size() < 2) {
    made.ticks.clear();
    add_linear_ticks(made, 6, measure.format == Quantity::Format::share);
  }
  return made;
}

}  // namespace doc2s
