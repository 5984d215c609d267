#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

namespace doc2s {

// The text in quotes, fit for a message whatever it holds: short, odd bytes as \xNN.
inline std::string printable(std::string_view text) {
  constexpr std::size_t most = 24;  // characters shown
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const std::string shown = byte < 0x20 || byte > 0x7e ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
    if (out.size() + shown.size() > most) return '"' + out + "…\"";
    out += shown;
  }
  return '"' + out + '"';
}

}  // namespace doc2s
