// SPDX-License-Identifier: Apache-2.0
#include "curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace doc2s {

namespace {

constexpr double broken_off = 0.9;  // relative to the longest run
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

struct Line {
  std::vector<double> x, y;
};

// Clients that agree differ by some units in the last place of their points, which records do not hold.
double rounding_of(const RecordedRun& run, std::size_t measure) {
  if (!std::string_view(quantities()[measure].name).starts_with("consensus")) return 0;
  double largest = 1;
  for (const double value : run.values[measure]) largest = std::fmax(largest, value);
  return std::isfinite(largest) ? largest * (run.float32 ? 1e-6 : 1e-13) : 0;
}

// Skips records without a position on the axis or without a sparse measure.
Line line_of(const RecordedRun& run, std::size_t axis, std::size_t measure) {
  Line line;
  const double rounding = rounding_of(run, measure);
  for (std::size_t k = 0; k < run.values[axis].size(); ++k) {
    if (std::isnan(run.values[axis][k])) continue;
    if (quantities()[measure].sparse && std::isnan(run.values[measure][k])) continue;
    line.x.push_back(run.values[axis][k]);
    const double y = run.values[measure][k];
    line.y.push_back(y > 0 && y < rounding ? nothing : y);
  }
  return line;
}

double value_at(const Line& line, double x) {
  if (line.x.empty() || x < line.x.front() || x > line.x.back()) return nothing;
  const auto right =
      static_cast<std::size_t>(std::lower_bound(line.x.begin(), line.x.end(), x) - line.x.begin());
  if (line.x[right] == x) return line.y[right];
  const double share = (x - line.x[right - 1]) / (line.x[right] - line.x[right - 1]);
  return line.y[right - 1] + share * (line.y[right] - line.y[right - 1]);
}

std::vector<double> common_places(const std::vector<Line>& lines) {
  std::vector<double> places;
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (const auto& line : lines) {
    if (line.x.empty()) continue;
    places.insert(places.end(), line.x.begin(), line.x.end());
    shortest = std::min(shortest, line.x.back());
    longest = std::max(longest, line.x.back());
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  if (shortest >= broken_off * longest) std::erase_if(places, [&](double x) { return x > shortest; });
  return places;
}

void add_place(Curve& curve, double x, const std::vector<Line>& lines) {
  double sum = 0, low = nothing, high = nothing;
  int count = 0;
  for (const auto& line : lines) {
    const double value = value_at(line, x);
    if (std::isnan(value)) continue;
    sum += value, ++count;
    low = std::fmin(low, value), high = std::fmax(high, value);
  }
  curve.x.push_back(x);
  curve.y.push_back(count > 0 ? sum / count : nothing);
  curve.low.push_back(low);
  curve.high.push_back(high);
}

}  // namespace

Curve make_curve(const std::vector<RecordedRun>& runs, const RunGroup& group, std::size_t axis,
                 std::size_t measure) {
  Curve curve{group.label, {}, {}, {}, {}};
  std::vector<Line> lines;
  for (const auto k : group.runs) lines.push_back(line_of(runs[k], axis, measure));
  if (lines.size() == 1) {
    curve.x = std::move(lines.front().x);
    curve.y = std::move(lines.front().y);
    return curve;
  }
  for (const double x : common_places(lines)) add_place(curve, x, lines);
  return curve;
}

}  // namespace doc2s
