// SPDX-License-Identifier: Apache-2.0
#include "data.hpp"

#include <fmt/format.h>

#include <iterator>

#include "catalogue/catalogue.hpp"
#include "doc2s/base/random.hpp"
#include "scratch.hpp"

namespace doc2s::bench {

std::string libsvm_text(const TextShape& shape) {
  std::string text;
  const auto gap = static_cast<std::uint64_t>(shape.dimension / shape.per_row);  // one feature per gap
  for (Index row = 0; row < shape.rows; ++row) {
    Random random(1, Purpose::synthetic, 0, row);
    text += random.below(4) == 0 ? "+1" : "-1";
    for (Index k = 0; k < shape.per_row; ++k) {
      fmt::format_to(std::back_inserter(text), " {}:", 1 + k * gap + random.below(gap));
      if (shape.digits == 0)
        text += '1';
      else
        fmt::format_to(std::back_inserter(text), "{:.{}f}", random.uniform() / 4, shape.digits);
    }
    text += '\n';
  }
  return text;
}

std::string csv_text(Index rows, Index columns, int digits) {
  std::string text;
  for (Index column = 1; column < columns; ++column) fmt::format_to(std::back_inserter(text), "c{},", column);
  text += "class\n";
  for (Index row = 0; row < rows; ++row) {
    Random random(1, Purpose::synthetic, 1, row);
    for (Index column = 1; column < columns; ++column)
      fmt::format_to(std::back_inserter(text), "{:.{}f},", 4 * random.uniform() - 2, digits);
    fmt::format_to(std::back_inserter(text), "class {}\n", random.below(3));
  }
  return text;
}

std::string a9a_file(const Scratch& folder, std::string& note) {
  if (const FoundSet found = find_set(*data_set_named("a9a")); !found.files.empty())
    return found.files.front().path;
  note = "a9a is not installed (`doc2s data get a9a`): made-up samples of the same shape stand in";
  folder.write("a9a", libsvm_text({32561, 14, 123, 0}));
  return folder.path("a9a");
}

}  // namespace doc2s::bench
