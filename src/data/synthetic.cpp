#include "synthetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

// `count` distinct columns, ascending, uniform over all sets (Floyd). `taken` is all false before and after.
void choose_columns(Random random, Index count, std::vector<bool>& taken, std::vector<std::int32_t>& out) {
  const auto first = std::ssize(out);
  const auto dimension = static_cast<Index>(taken.size());
  for (Index last = dimension - count; last < dimension; ++last) {
    const auto drawn = static_cast<Index>(random.below(static_cast<std::uint64_t>(last + 1)));
    const Index column = taken[drawn] ? last : drawn;
    taken[column] = true;
    out.push_back(static_cast<std::int32_t>(column));
  }
  std::sort(out.begin() + first, out.end());
  for (auto at = out.begin() + first; at != out.end(); ++at) taken[*at] = false;
}

// Normal entries scaled to norm 1: a uniform direction.
void fill_unit(const Random& random, std::span<double> row) {
  random.normals(0, row);
  const double length = norm(std::span<const double>(row));
  for (double& value : row)
    value = length > 0 ? value / length : 1 / std::sqrt(static_cast<double>(row.size()));
}

}  // namespace

Samples make_synthetic(const SyntheticShape& shape, std::uint64_t seed, const KeepRow& keep) {
  check(shape);
  const auto random = [&](Draw draw, Tick row) { return Random(seed, Purpose::synthetic, 0, row, draw); };
  const Index count = entries_a_row(shape);
  std::vector<double> normal(shape.dimension), entries(count);
  random(hyperplane, 0).normals(0, std::span(normal));
  std::vector<bool> taken(shape.dimension);
  Samples samples;
  samples.source = "synthetic";
  samples.dimension = shape.dimension;
  if (!keep) samples.columns.reserve(shape.size * count), samples.values.reserve(shape.size * count);
  for (Index row = 0; row < shape.size; ++row) {
    const Index first = samples.offsets.back();
    choose_columns(random(columns, row), count, taken, samples.columns);
    fill_unit(random(values, row), entries);
    double side = 0;
    for (Index k = 0; k < count; ++k) side += normal[samples.columns[first + k]] * entries[k];
    const bool flipped = random(flips, row).uniform() < shape.noise;
    samples.labels.push_back((side > 0) != flipped ? 1 : -1);
    if (keep && !keep(row))
      samples.columns.resize(first);
    else
      samples.values.insert(samples.values.end(), entries.begin(), entries.end());
    samples.offsets.push_back(static_cast<Index>(samples.columns.size()));
  }
  return samples;
}

}  // namespace doc2s
