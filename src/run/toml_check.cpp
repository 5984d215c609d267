#include "toml_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

constexpr std::ptrdiff_t most_dots = 4096;  // wherever they stand: a config of ours has a few hundred

// The position behind the text that begins at `at` with one quote or three. Where it has no end, or a line
// ends within one quote, toml++ stops there with a message.
std::size_t behind_text(std::string_view toml, std::size_t at) {
  const char quote = toml[at];
  const bool escapes = quote == '"';
  const std::string three(3, quote);
  const bool long_text = toml.substr(at).starts_with(three);
  for (at += long_text ? 3 : 1; at < toml.size(); ++at) {
    if (escapes && toml[at] == '\\')
      ++at;
    else if (!long_text && toml[at] == quote)
      return at + 1;
    else if (long_text && toml.substr(at).starts_with(three)) {
      at += 3;
      for (int more = 0; more < 2 && at < toml.size() && toml[at] == quote; ++more) ++at;  // """a quote:"""""
      return at;
    }
  }
  return toml.size();
}

bool begins_key(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '"' || c == '\'';
}

// `[` or `[[` at `at`, where a line begins, has a name behind it, or an end that toml++ itself complains of.
bool names_table(std::string_view toml, std::size_t at) {
  at += toml.substr(at).starts_with("[[") ? 2 : 1;
  at = toml.find_first_not_of(" \t", at);
  return at == toml.npos || begins_key(toml[at]) || toml[at] == ']';
}

class Scan {
 public:
  Scan(std::string_view toml, const std::string& name) : toml_(toml), name_(name) {}

  void check() {
    if (toml_.starts_with("\xef\xbb\xbf")) at_ = 3;  // a byte-order mark
    while (at_ < toml_.size()) step();
  }

 private:
  void step() {
    const char c = toml_[at_];
    if (static_cast<unsigned char>(c) >= 0x80)
      refuse("a character that is not ASCII stands outside of quotes", "put a text into quotes");
    if (line_begins_ && c == '[' && !names_table(toml_, at_))
      refuse("a table has no name", "write [section]");
    if (c == '\n' || !(c == ' ' || c == '\t')) line_begins_ = c == '\n';
    if (c == '"' || c == '\'')
      at_ = behind_text(toml_, at_);
    else if (c == '#')
      at_ = std::min(toml_.find('\n', at_), toml_.size());
    else
      ++at_;
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
    const auto line = 1 + std::count(toml_.begin(), toml_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw Error(what, fmt::format("{}:{}", name_, line), hint);
  }

  std::string_view toml_;
  const std::string& name_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
};

}  // namespace

void check_toml(const std::string& text, const std::string& name) {
  if (std::count(text.begin(), text.end(), '.') > most_dots)
    throw Error(fmt::format("there are more than {} dots, and no config needs as many", most_dots), name,
                "`doc2s explain` lists the keys");
  Scan(text, name).check();
}

bool is_utf8(std::string_view bytes) {
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // that needs so many bytes
  for (std::size_t at = 0; at < bytes.size();) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const std::size_t length = first < 0x80       ? 1
                               : first >> 5 == 6  ? 2
                               : first >> 4 == 14 ? 3
                               : first >> 3 == 30 ? 4
                                                  : 0;
    if (length == 0 || at + length > bytes.size()) return false;
    std::uint32_t code = length == 1 ? first : first & (0xffu >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(bytes[at + k]);
      if (next >> 6 != 2) return false;
      code = code << 6 | (next & 0x3fu);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    at += length;
  }
  return true;
}

}  // namespace doc2s
