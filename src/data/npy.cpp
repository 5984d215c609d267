// SPDX-License-Identifier: Apache-2.0
#include "npy.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "files.hpp"
#include "npy_parts.hpp"

namespace doc2s {

NpyArray parse_npy(const std::string& bytes, const std::string& name) {
  const NpyParts parts = parse_npy_parts(bytes, name);
  if (parts.type != "<f4" && parts.type != "<f8")
    throw Error(fmt::format("has dtype {}", printable(parts.type)), name,
                "write float32 or float64 numbers with numpy.save");
  if (parts.fortran) throw Error("is in Fortran order", name, "save numpy.ascontiguousarray(…)");
  NpyArray array;
  array.is_list = parts.shape.size() == 1;
  array.rows = array.is_list ? 1 : parts.shape.front();
  array.columns = parts.shape.back();
  array.values = npy_numbers(parts);
  return array;
}

NpyArray read_npy(const std::string& path) { return parse_npy(read_plain(path), path); }

}  // namespace doc2s
