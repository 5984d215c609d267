// SPDX-License-Identifier: Apache-2.0
#include "toml_ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

constexpr std::ptrdiff_t most_dots = 4096;  // wherever they stand: a config of ours has a few hundred

bool begins_key(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '"' || c == '\'';
}

// `[` or `[[` at `at`, where a line begins, has a name behind it, or an end that toml++ itself complains of.
bool names_table(std::string_view toml, std::size_t at) {
  at += toml.substr(at).starts_with("[[") ? 2 : 1;
  at = toml.find_first_not_of(" \t", at);
  return at == toml.npos || begins_key(toml[at]) || toml[at] == ']';
}

// The code of the character that begins at `at` in UTF-8, and how many bytes it has; none where it is not
// UTF-8.
struct Character {
  std::uint32_t code;
  std::size_t length;
};

std::optional<Character> character(std::string_view bytes, std::size_t at) {
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // that needs so many bytes
  const auto first = static_cast<unsigned char>(bytes[at]);
  const std::size_t length = first < 0x80       ? 1
                             : first >> 5 == 6  ? 2
                             : first >> 4 == 14 ? 3
                             : first >> 3 == 30 ? 4
                                                : 0;
  if (length == 0 || at + length > bytes.size()) return std::nullopt;
  std::uint32_t code = length == 1 ? first : first & (0xffu >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    const auto next = static_cast<unsigned char>(bytes[at + k]);
    if (next >> 6 != 2) return std::nullopt;
    code = code << 6 | (next & 0x3fu);
  }
  if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return std::nullopt;
  return Character{code, length};
}

class Scan {
 public:
  Scan(std::string_view toml, const std::string& name)
      : toml_(toml), name_(name), at_(byte_order_mark(toml, name)) {}

  std::string ascii() {
    while (at_ < toml_.size()) step();
    return std::move(out_);
  }

 private:
  void step() {
    const char c = toml_[at_];
    if (!is_ascii(c)) refuse("a character that is not ASCII is outside quotes", "put a text into quotes");
    if (line_begins_ && c == '[' && !names_table(toml_, at_))
      refuse("a table has no name", "write [section]");
    if (c == '\n' || !(c == ' ' || c == '\t')) line_begins_ = c == '\n';
    if (c == '"' || c == '\'')
      take_text();
    else if (c == '#')
      while (at_ < toml_.size() && toml_[at_] != '\n') take();
    else
      take();
  }

  // A text with one quote or three around it; one in single quotes, which know no escapes, gets double ones.
  // Where it has no end, or a line ends within one quote, toml++ stops there with a message.
  void take_text() {
    const char quote = toml_[at_];
    const std::size_t quotes = toml_.substr(at_).starts_with(std::string(3, quote)) ? 3 : 1;
    const std::string end(quotes, quote);
    take_quotes(quotes);
    while (at_ < toml_.size() && !toml_.substr(at_).starts_with(end)) {
      if (quote == '"' && toml_[at_] == '\\')
        take_escape();
      else
        take_of_text(quote);
    }
    if (quotes == 3)  // """a quote:"""""
      for (int k = 0; k < 2 && toml_.substr(at_).starts_with(end + quote); ++k) take();
    take_quotes(std::min(quotes, toml_.size() - at_));
  }

  void take_quotes(std::size_t count) {
    out_.append(count, '"');
    at_ += count;
  }

  void take_of_text(char quote) {
    if (quote == '\'' && (toml_[at_] == '"' || toml_[at_] == '\\')) out_ += '\\';
    take();
  }

  void take_escape() {
    take();
    if (at_ == toml_.size()) return;
    if (!is_ascii(toml_[at_]))
      refuse("a character that is not ASCII follows a backslash", R"(write \\ for a \)");
    take();
  }

  void take() {
    const std::optional<Character> next = character(toml_, at_);
    if (!next) refuse("this is not UTF-8", "save the file as UTF-8");
    if (next->length == 1)
      out_ += toml_[at_];
    else
      out_ += fmt::format("\\U{:08X}", next->code);
    at_ += next->length;
  }

  static bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

  [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
    const auto line = 1 + std::count(toml_.begin(), toml_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw Error(what, fmt::format("{}:{}", name_, line), hint);
  }

  std::string_view toml_;
  const std::string& name_;
  std::string out_;
  std::size_t at_;
  bool line_begins_ = true;
};

}  // namespace

std::string ascii_toml(const std::string& text, const std::string& name) {
  if (std::count(text.begin(), text.end(), '.') > most_dots)
    throw Error(fmt::format("there are more than {} dots, and no config needs as many", most_dots), name,
                "`doc2s explain` lists the keys");
  return Scan(text, name).ascii();
}

bool is_utf8(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::optional<Character> next = character(bytes, at);
    if (!next) return false;
    at += next->length;
  }
  return true;
}

}  // namespace doc2s
