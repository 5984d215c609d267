// SPDX-License-Identifier: Apache-2.0
#include "thinning.hpp"

#include <cmath>
#include <map>
#include <set>

namespace doc2s {

namespace {

constexpr Index most_points = 2000;
constexpr Index equal_stretches = 150, stretches_per_decade = 8;  // at most 13 records each

std::vector<Index> starts_of_stretches(Index records) {
  std::set<Index> starts;
  for (Index k = 0; k < equal_stretches; ++k) starts.insert(k * records / equal_stretches);
  const double growth = std::pow(10, 1.0 / static_cast<double>(stretches_per_decade));
  for (double at = 1; at < static_cast<double>(records) / equal_stretches; at *= growth)
    starts.insert(static_cast<Index>(at));
  return {starts.begin(), starts.end()};
}

}  // namespace

Thinning::Thinning(Index expected)
    : starts_(expected > most_points ? starts_of_stretches(expected) : std::vector<Index>()),
      lowest_(quantities().size()),
      highest_(quantities().size()),
      values_(quantities().size()) {}

void Thinning::add(Index position, const Record& record) {
  const bool begins = starts_.empty() || (next_ < starts_.size() && position >= starts_[next_]);
  const Kept candidate{position, record};
  if (begins) {
    end_stretch();
    ++next_;
    first_ = candidate;
  }
  keep_extremes(candidate);
  last_ = candidate;
}

void Thinning::keep_extremes(const Kept& candidate) {
  for (std::size_t k = 0; k < quantities().size(); ++k) {
    const double value = candidate.record.values()[k];
    if (quantities()[k].kind != Quantity::Kind::measure || std::isnan(value)) continue;
    if (lowest_[k].position < 0 || value < lowest_[k].record.values()[k]) lowest_[k] = candidate;
    if (highest_[k].position < 0 || value > highest_[k].record.values()[k]) highest_[k] = candidate;
  }
}

void Thinning::end_stretch() {
  std::map<Index, const Record*> kept;
  if (first_.position >= 0) kept[first_.position] = &first_.record;
  for (const auto* extremes : {&lowest_, &highest_})
    for (const Kept& one : *extremes)
      if (one.position >= 0) kept[one.position] = &one.record;
  for (const auto& [position, record] : kept)
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k].push_back(record->values()[k]);
  first_ = {};
  for (auto* extremes : {&lowest_, &highest_})
    for (Kept& one : *extremes) one.position = -1;
}

std::vector<std::vector<double>> Thinning::finish() {
  if (last_.position >= 0) lowest_.front() = last_;  // keeps the end of the curve
  end_stretch();
  return std::move(values_);
}

}  // namespace doc2s
