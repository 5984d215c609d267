// SPDX-License-Identifier: Apache-2.0
#include "json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "text.hpp"

namespace doc2s {

std::string json(double number) { return std::isfinite(number) ? fmt::format("{}", number) : "null"; }

std::string json(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string json_list(const std::vector<std::string>& objects) {
  return objects.empty() ? "[]" : "[\n    " + joined(objects, ",\n    ") + "\n  ]";
}

JsonObject& JsonObject::add_raw(const std::string& key, const std::string& written) {
  members_ += (members_.empty() ? "" : ", ") + json(key) + ": " + written;
  spread_ += (spread_.empty() ? "\n  " : ",\n  ") + json(key) + ": " + written;
  return *this;
}

std::string JsonObject::lines() const { return "{" + spread_ + "\n}"; }

}  // namespace doc2s
