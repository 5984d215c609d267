// SPDX-License-Identifier: Apache-2.0
#include "synthetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/long_work.hpp"
#include "base/machine_memory.hpp"
#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {

namespace {

enum Draw : std::uint16_t { hyperplane, columns, values, flips };

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw Error(what, "synthetic", hint);
}

Index entries_a_row(const SyntheticShape& shape) {
  return std::max<Index>(1, std::llround(shape.sparsity * static_cast<double>(shape.dimension)));
}

void check(const SyntheticShape& shape) {
  if (shape.size < 1) refuse(fmt::format("size is {}", shape.size), "it must be at least 1");
  if (shape.dimension < 1 || shape.dimension > std::numeric_limits<std::int32_t>::max())
    refuse(fmt::format("dimension is {}", shape.dimension), "it must be from 1 to 2147483647");
  if (!(shape.sparsity > 0 && shape.sparsity <= 1))
    refuse(fmt::format("sparsity is {}", shape.sparsity), "it must be above 0 and at most 1");
  if (!(shape.noise >= 0 && shape.noise <= 0.5))
    refuse(fmt::format("noise is {}", shape.noise), "it must be at least 0 and at most 0.5");
  const double entries = static_cast<double>(shape.size) * static_cast<double>(entries_a_row(shape));
  if (entries > 1e10)
    refuse(fmt::format("{:.3g} non-zeros are too many", entries), "make size or sparsity smaller");
}

constexpr Index word_bits = 64;

// The columns taken, ascending; leaves none taken. Where they are dense, reading the words is faster than
// sorting.
void collect(std::vector<std::uint64_t>& taken, std::vector<std::int32_t>& columns) {
  const bool dense = std::ssize(taken) <= 4 * std::ssize(columns);
  if (!dense) {
    std::sort(columns.begin(), columns.end());
    for (const std::int32_t column : columns) taken[column / word_bits] = 0;
    return;
  }
  auto out = columns.begin();
  for (Index word = 0; word < std::ssize(taken); ++word) {
    for (std::uint64_t left = taken[word]; left != 0; left &= left - 1)
      *out++ = static_cast<std::int32_t>(word * word_bits + std::countr_zero(left));
    taken[word] = 0;
  }
}

// `count` distinct columns, ascending, uniform over all sets (Floyd). `taken` is all 0 before and after.
void choose_columns(Random random, Index dimension, Index count, std::vector<std::uint64_t>& taken,
                    std::vector<std::int32_t>& out) {
  out.clear();
  for (Index last = dimension - count; last < dimension; ++last) {
    const auto drawn = static_cast<Index>(random.below(static_cast<std::uint64_t>(last + 1)));
    const bool again = (taken[drawn / word_bits] >> (drawn % word_bits)) & 1;
    const Index column = again ? last : drawn;
    taken[column / word_bits] |= std::uint64_t{1} << (column % word_bits);
    out.push_back(static_cast<std::int32_t>(column));
  }
  collect(taken, out);
}

// Normal entries scaled to norm 1: a uniform direction.
void fill_unit(const Random& random, std::span<double> row) {
  random.normals(0, row);
  const double length = norm(std::span<const double>(row));
  for (double& value : row)
    value = length > 0 ? value / length : 1 / std::sqrt(static_cast<double>(row.size()));
}

Random random_of(std::uint64_t seed, Draw draw, Tick row) {
  return Random(seed, Purpose::synthetic, 0, row, draw);
}

const SyntheticShape& checked(const SyntheticShape& shape) {
  check(shape);
  return shape;
}

}  // namespace

SyntheticRows::SyntheticRows(const SyntheticShape& shape, std::uint64_t seed)
    : shape_(checked(shape)), seed_(seed), entries_(entries_a_row(shape)), normal_(shape.dimension) {
  random_of(seed, hyperplane, 0).normals(0, std::span(normal_));
}

void SyntheticRows::make(Index row, SyntheticRow& out) const {
  const auto words = static_cast<std::size_t>((shape_.dimension + word_bits - 1) / word_bits);
  if (out.taken.size() != words) out.taken.assign(words, 0);
  out.values.resize(entries_);
  choose_columns(random_of(seed_, columns, row), shape_.dimension, entries_, out.taken, out.columns);
  fill_unit(random_of(seed_, values, row), out.values);
  double side = 0;
  for (Index k = 0; k < entries_; ++k) side += normal_[out.columns[k]] * out.values[k];
  const bool flipped = random_of(seed_, flips, row).uniform() < shape_.noise;
  out.label = (side > 0) != flipped ? 1 : -1;
}

Samples make_synthetic(const SyntheticShape& shape, std::uint64_t seed, const KeepRow& keep) {
  const SyntheticRows rows(shape, seed);
  const Index all = keep ? 0 : shape.size * rows.entries();
  require_memory(static_cast<double>(sizeof(std::int32_t) + sizeof(double)) * static_cast<double>(all),
                 fmt::format("{} synthetic samples of {} values each", shape.size, rows.entries()),
                 "problem.size", "take fewer samples, a smaller problem.dimension or problem.sparsity");
  Samples samples;
  samples.source = "synthetic";
  samples.dimension = shape.dimension;
  samples.columns.reserve(all), samples.values.reserve(all);
  const LongWork work("making synthetic data");
  SyntheticRow made;
  for (Index row = 0; row < shape.size; ++row) {
    if (row % 1024 == 0) work.go_on(static_cast<double>(row) / static_cast<double>(shape.size));
    rows.make(row, made);
    samples.labels.push_back(made.label);
    if (!keep || keep(row)) {
      samples.columns.insert(samples.columns.end(), made.columns.begin(), made.columns.end());
      samples.values.insert(samples.values.end(), made.values.begin(), made.values.end());
    }
    samples.offsets.push_back(std::ssize(samples.columns));
  }
  return samples;
}

}  // namespace doc2s
