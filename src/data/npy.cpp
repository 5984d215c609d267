#include "npy.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "files.hpp"

namespace doc2s {

namespace {

constexpr const char* advice = "write float32 or float64 numbers with numpy.save";

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[k]);
  return number;
}

// The header dictionary and the data after it.
struct Parts {
  std::string_view head, numbers;
};

Parts split(std::string_view bytes, const std::string& name) {
  using namespace std::literals;
  constexpr std::size_t before = 8;  // length of magic and version
  if (!bytes.starts_with("\x93NUMPY"sv) || bytes.size() < before)
    throw Error("is not a .npy file of NumPy's", name, advice);
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3)
    throw Error(fmt::format("has version {} of the .npy format", version), name, "1 to 3 can be read");
  const std::size_t digits = version == 1 ? 2 : 4;
  const std::uint64_t length =
      bytes.size() < before + digits ? UINT64_MAX : little_endian(bytes.substr(before, digits));
  if (length > bytes.size() - before) throw Error("is truncated within its header", name, advice);
  bytes.remove_prefix(before + digits);
  if (length > bytes.size()) throw Error("is truncated within its header", name, advice);
  return {bytes.substr(0, length), bytes.substr(length)};
}

// The text after 'key': in the dictionary.
std::string_view entry(std::string_view head, std::string_view key, const std::string& name) {
  const auto at = head.find(fmt::format("'{}':", key));
  if (at == head.npos) throw Error(fmt::format("its header has no \"{}\"", key), name, advice);
  head.remove_prefix(at + key.size() + 3);
  return head.substr(std::min(head.find_first_not_of(' '), head.size()));
}

std::vector<Index> shape_of(std::string_view head, const std::string& name) {
  std::string_view text = entry(head, "shape", name);
  text = text.substr(0, text.find(')'));
  const std::string shown = printable(std::string(text) + ")");
  std::vector<Index> shape;
  if (!text.starts_with('(')) throw Error("its shape is not a tuple", name, advice);
  text.remove_prefix(1);
  while (!text.empty()) {
    Index size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || size < 0)
      throw Error(fmt::format("its shape {} cannot be read", shown), name, advice);
    shape.push_back(size);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
  }
  if (shape.size() != 1 && shape.size() != 2)
    throw Error(fmt::format("its shape {} has {} dimensions", shown, shape.size()), name,
                "a point has one, a list of points two");
  return shape;
}

template <class Real>
void convert(std::string_view bytes, std::vector<double>& values) {
  values.resize(bytes.size() / sizeof(Real));
  for (std::size_t k = 0; k < values.size(); ++k) {
    Real number;
    std::memcpy(&number, bytes.data() + k * sizeof(Real), sizeof(Real));
    values[k] = number;
  }
}

}  // namespace

NpyArray parse_npy(const std::string& bytes, const std::string& name) {
  const auto [head, numbers] = split(bytes, name);
  const std::string_view type = entry(head, "descr", name).substr(0, 5);
  if (type != "'<f4'" && type != "'<f8'")
    throw Error(fmt::format("has dtype {}", printable(type)), name, advice);
  if (!entry(head, "fortran_order", name).starts_with("False"))
    throw Error("is in Fortran order", name, "save numpy.ascontiguousarray(…)");
  const std::vector<Index> shape = shape_of(head, name);
  NpyArray array;
  array.is_list = shape.size() == 1;
  array.rows = array.is_list ? 1 : shape.front();
  array.columns = shape.back();
  const std::size_t width = type == "'<f4'" ? 4 : 8;
  const auto there = static_cast<__int128>(numbers.size() / width);
  if (static_cast<__int128>(array.rows) * array.columns != there || numbers.size() % width != 0)
    throw Error(fmt::format("its header says {} by {} numbers, but {} bytes follow", array.rows,
                            array.columns, numbers.size()),
                name, "copy it again");
  width == 4 ? convert<float>(numbers, array.values) : convert<double>(numbers, array.values);
  return array;
}

NpyArray read_npy(const std::string& path) { return parse_npy(read_plain(path), path); }

}  // namespace doc2s
