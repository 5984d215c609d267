// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "npy_parts.hpp"

namespace doc2s {

namespace {

// As stored.
template <class Number>
std::vector<double> converted(std::string_view bytes) {
  std::vector<double> values(bytes.size() / sizeof(Number));
  for (std::size_t k = 0; k < values.size(); ++k) {
    Number number;
    std::memcpy(&number, bytes.data() + k * sizeof(Number), sizeof(Number));
    values[k] = static_cast<double>(number);
  }
  return values;
}

template <class One, class Two, class Four, class Eight>
std::vector<double> converted_by_width(const NpyParts& parts) {
  const std::size_t width = parts.width();
  return width == 1   ? converted<One>(parts.elements)
         : width == 2 ? converted<Two>(parts.elements)
         : width == 4 ? converted<Four>(parts.elements)
                      : converted<Eight>(parts.elements);
}

// Reads columns × rows, writes rows × columns.
std::vector<double> transposed(const std::vector<double>& stored, Index rows, Index columns) {
  std::vector<double> values(stored.size());
  for (Index row = 0; row < rows; ++row)
    for (Index column = 0; column < columns; ++column)
      values[row * columns + column] = stored[column * rows + row];
  return values;
}

// Appends a character in UTF-8; returns whether the code is one.
bool append_utf8(std::uint32_t code, std::string& text) {
  const auto byte = [&](std::uint32_t bits) { text += static_cast<char>(bits); };
  const auto rest = [&](int shift) { byte(0x80 | (code >> shift & 0x3f)); };
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
  if (code < 0x80) return byte(code), true;
  if (code < 0x800) return byte(0xc0 | code >> 6), rest(0), true;
  if (code < 0x10000) return byte(0xe0 | code >> 12), rest(6), rest(0), true;
  return byte(0xf0 | code >> 18), rest(12), rest(6), rest(0), true;
}

// Four bytes a character, zeros at the end.
std::string decoded(std::string_view element, const std::string& name) {
  std::string text;
  for (std::size_t k = 0; k < element.size(); k += 4) {
    std::uint32_t code = 0;
    std::memcpy(&code, element.data() + k, 4);
    if (!append_utf8(code, text))
      throw Error(fmt::format("it holds {:#x}, which is no character", code), name, "copy it again");
  }
  return text;
}

}  // namespace

std::vector<double> npy_numbers(const NpyParts& parts) {
  using std::int8_t, std::int16_t, std::int32_t, std::int64_t;
  using std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t;
  if (parts.width() == 0 || holds_texts(parts))
    throw Error(fmt::format("has dtype {}", printable(parts.type)), parts.name,
                "float32, float64, integers and bool can be read");
  check_length(parts);
  std::vector<double> values = parts.kind() == 'f' ? converted_by_width<float, float, float, double>(parts)
                               : parts.kind() == 'i'
                                   ? converted_by_width<int8_t, int16_t, int32_t, int64_t>(parts)
                                   : converted_by_width<uint8_t, uint16_t, uint32_t, uint64_t>(parts);
  if (!parts.fortran || parts.shape.size() == 1) return values;
  return transposed(values, parts.shape.front(), parts.shape.back());
}

std::vector<std::string> npy_texts(const NpyParts& parts) {
  check_length(parts);
  std::vector<std::string> texts;
  texts.reserve(parts.elements.size() / parts.width());
  for (std::string_view left = parts.elements; !left.empty(); left.remove_prefix(parts.width())) {
    const std::string_view element = left.substr(0, parts.width());
    std::string text = parts.kind() == 'U' ? decoded(element, parts.name) : std::string(element);
    text.resize(text.find_last_not_of('\0') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace doc2s
