// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "data/table_readers.hpp"
#include "target.hpp"

// An .npz file, or a .npy file as a table. A deflated array may be a hundred times as long as the file, and
// 16 MB longer; its numbers are up to eight times as long again.
DOC2S_FUZZ_TARGET(bytes) {
  [[maybe_unused]] static const bool allowed = doc2s::fuzz::allow_beside(std::int64_t{400} << 20);
  static doc2s::fuzz::InputFile file;
  if (doc2s::fuzz::seems_packed(bytes)) return;
  const std::string& path = file.filled(bytes);
  doc2s::TableRequest request;
  request.features_alone = 2;
  const doc2s::Table table =
      bytes.starts_with("PK") ? doc2s::read_npz(path, request) : doc2s::read_npy_table(path, request);
  const auto rows = static_cast<std::size_t>(table.count());
  if (rows == 0 || table.values.size() != rows * table.columns.size()) std::abort();
  if (!table.targets.empty() && table.targets.size() != rows) std::abort();
}
