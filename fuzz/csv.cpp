// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "data/table_readers.hpp"
#include "target.hpp"

namespace {

// Every value and every target has its column, its row and its class.
void check(const doc2s::Table& table) {
  const auto rows = static_cast<std::size_t>(table.count());
  const bool whole = rows > 0 && table.values.size() == rows * table.columns.size() &&
                     (table.places.empty() || table.places.size() == rows);
  if (!whole || (!table.targets.empty() && table.targets.size() != rows)) std::abort();
  for (const double target : table.targets)
    if (!table.classes.empty() && !(target >= 0 && target < static_cast<double>(table.classes.size())))
      std::abort();
}

}  // namespace

// Two bytes choose the request; the rest is the file.
DOC2S_FUZZ_TARGET(bytes) {
  static doc2s::fuzz::InputFile file;
  if (bytes.size() < 2 || doc2s::fuzz::seems_packed(bytes.substr(2))) return;
  using Request = doc2s::TableRequest;
  constexpr const char* labels[] = {"", "1", "3", "y"};
  Request request;
  request.target = bytes[0] & 1 ? Request::Target::number : Request::Target::class_name;
  request.header = static_cast<Request::Header>((bytes[0] >> 1 & 3) % 3);
  request.label = labels[bytes[0] >> 3 & 3];
  request.features_alone = bytes[1] & 3;
  if (bytes[1] & 8) request.ignore = {"id", "2"};
  if (bytes[1] & 16) request.only = {"a", "b"};
  request.missing = static_cast<Request::Missing>((bytes[1] >> 5 & 3) % 3);
  check(doc2s::read_csv(file.filled(bytes.substr(2)), bytes[1] & 4 ? '\t' : ',', request));
}
