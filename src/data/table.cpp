// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "doc2s/base/error.hpp"
#include "libsvm.hpp"
#include "table_readers.hpp"
#include "table_targets.hpp"

namespace doc2s {

namespace {

// ".csv" of data.CSV.gz.
std::string table_ending(const std::string& path) {
  std::string_view name = path;
  std::string end;
  const auto take_end = [&] {
    end = name.substr(std::min(name.rfind('.'), name.size()));
    name.remove_suffix(end.size());
    std::transform(end.begin(), end.end(), end.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  };
  take_end();
  if (end == ".gz" || end == ".bz2" || end == ".xz" || end == ".zst") take_end();
  return end;
}

void check_dense_size(const Samples& samples) {
  constexpr Index most = 1'000'000'000;
  if (samples.dimension > 0 && samples.count() > most / samples.dimension)
    throw Error(fmt::format("its {} rows of {} features are too many values for a table", samples.count(),
                            samples.dimension),
                samples.source, fmt::format("a table holds at most {} values", most));
}

}  // namespace

Table numbered_table(const std::string& path, Index rows, Index features) {
  Table table;
  table.source = path;
  table.rows = rows;
  for (Index k = 1; k <= features; ++k) table.columns.push_back(std::to_string(k));
  return table;
}

Table read_libsvm_table(const std::string& path, const TableRequest& request) {
  const Samples samples = read_libsvm(path, request.features_alone);
  if (samples.dimension == 0) throw Error("the file holds no features", path, "a feature is `index:value`");
  check_dense_size(samples);
  Table table = numbered_table(path, samples.count(), samples.dimension);
  table.values.resize(static_cast<std::size_t>(table.rows * samples.dimension));
  Targets targets(request.target);
  for (Index row = 0; row < table.rows; ++row) {
    targets.add(samples.labels[row]);
    for (Index k = samples.offsets[row]; k < samples.offsets[row + 1]; ++k)
      table.values[row * samples.dimension + samples.columns[k]] = samples.values[k];
  }
  targets.finish(table);
  return table;
}

bool is_table_path(const std::string& path) {
  const std::string end = table_ending(path);
  return end == ".csv" || end == ".tsv" || end == ".npy" || end == ".npz";
}

bool is_csv_path(const std::string& path) {
  const std::string end = table_ending(path);
  return end == ".csv" || end == ".tsv";
}

Table read_table(const std::string& path, const TableRequest& request) {
  const std::string end = table_ending(path);
  if (end == ".csv") return read_csv(path, ',', request);
  if (end == ".tsv") return read_csv(path, '\t', request);
  if (end == ".npy") return read_npy_table(path, request);
  if (end == ".npz") return read_npz(path, request);
  return read_libsvm_table(path, request);
}

}  // namespace doc2s
