// SPDX-License-Identifier: Apache-2.0
#include "npy_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

constexpr const char* save_again = "write it with numpy.save or numpy.savez";

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[k]);
  return number;
}

// The header dictionary and the bytes after it.
struct HeadAndElements {
  std::string_view head, elements;
};

HeadAndElements split(std::string_view bytes, const std::string& name) {
  using namespace std::literals;
  constexpr std::size_t before = 8;  // length of magic and version
  if (!bytes.starts_with("\x93NUMPY"sv) || bytes.size() < before)
    throw Error("is not a .npy file of NumPy's", name, save_again);
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3)
    throw Error(fmt::format("has version {} of the .npy format", version), name, "1 to 3 can be read");
  const std::size_t digits = version == 1 ? 2 : 4;
  const std::uint64_t length =
      bytes.size() < before + digits ? UINT64_MAX : little_endian(bytes.substr(before, digits));
  if (length > bytes.size() - before) throw Error("is truncated within its header", name, save_again);
  bytes.remove_prefix(before + digits);
  if (length > bytes.size()) throw Error("is truncated within its header", name, save_again);
  return {bytes.substr(0, length), bytes.substr(length)};
}

// The text after 'key': in the dictionary.
std::string_view entry(std::string_view head, std::string_view key, const std::string& name) {
  const auto at = head.find(fmt::format("'{}':", key));
  if (at == head.npos) throw Error(fmt::format("its header has no \"{}\"", key), name, save_again);
  head.remove_prefix(at + key.size() + 3);
  return head.substr(std::min(head.find_first_not_of(' '), head.size()));
}

// '<f8' without its quotes; a list of fields, which no reader accepts, as it is.
std::string type_of(std::string_view head, const std::string& name) {
  const std::string_view text = entry(head, "descr", name);
  if (!text.starts_with('\'')) return std::string(text.substr(0, 24));
  return std::string(text.substr(1, text.find('\'', 1) - 1));
}

std::vector<Index> shape_of(std::string_view head, const std::string& name) {
  std::string_view text = entry(head, "shape", name);
  text = text.substr(0, text.find(')'));
  const std::string shown = printable(std::string(text) + ")");
  std::vector<Index> shape;
  if (!text.starts_with('(')) throw Error("its shape is not a tuple", name, save_again);
  text.remove_prefix(1);
  while (!text.empty()) {
    Index size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || size < 0)
      throw Error(fmt::format("its shape {} cannot be read", shown), name, save_again);
    shape.push_back(size);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
  }
  if (shape.size() != 1 && shape.size() != 2)
    throw Error(fmt::format("its shape {} has {} dimensions", shown, shape.size()), name,
                "one dimension or two can be read");
  return shape;
}

}  // namespace

NpyParts parse_npy_parts(std::string_view bytes, const std::string& name) {
  const auto [head, elements] = split(bytes, name);
  NpyParts parts;
  parts.name = name;
  parts.elements = elements;
  parts.type = type_of(head, name);
  parts.fortran = !entry(head, "fortran_order", name).starts_with("False");
  parts.shape = shape_of(head, name);
  return parts;
}

std::size_t NpyParts::width() const {
  constexpr std::string_view numbers[] = {"<f4", "<f8", "|b1", "|i1", "|u1", "<i2",
                                          "<u2", "<i4", "<u4", "<i8", "<u8"};
  if (std::find(std::begin(numbers), std::end(numbers), type) != std::end(numbers))
    return static_cast<std::size_t>(type[2] - '0');
  if (!type.starts_with("<U") && !type.starts_with("|S")) return 0;
  std::uint32_t characters = 0;
  const char* const end = type.data() + type.size();
  const auto [stop, error] = std::from_chars(type.data() + 2, end, characters);
  if (stop != end || error != std::errc()) return 0;
  return std::size_t{characters} * (kind() == 'U' ? 4 : 1);
}

void check_length(const NpyParts& parts) {
  const std::size_t width = parts.width(), bytes = parts.elements.size();
  const Index rows = parts.shape.size() == 2 ? parts.shape.front() : 1, columns = parts.shape.back();
  const auto said = static_cast<__int128>(rows) * columns;
  if (bytes % width != 0 || said != static_cast<__int128>(bytes / width))
    throw Error(fmt::format("its header says {} by {} numbers, but {} bytes follow", rows, columns, bytes),
                parts.name, "copy it again");
}

bool holds_texts(const NpyParts& parts) {
  return parts.width() > 0 && (parts.kind() == 'U' || parts.kind() == 'S');
}

}  // namespace doc2s
