#include "toml_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

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

// The position of the first character beyond ASCII that stands in neither a text nor a comment.
std::size_t stray_character(std::string_view toml) {
  std::size_t at = toml.starts_with("\xef\xbb\xbf") ? 3 : 0;  // a byte-order mark
  while (at < toml.size()) {
    if (toml[at] == '"' || toml[at] == '\'')
      at = behind_text(toml, at);
    else if (toml[at] == '#')
      at = std::min(toml.find('\n', at), toml.size());
    else if (static_cast<unsigned char>(toml[at]) >= 0x80)
      return at;
    else
      ++at;
  }
  return toml.npos;
}

}  // namespace

void check_toml(const std::string& text, const std::string& name) {
  if (std::count(text.begin(), text.end(), '.') > most_dots)
    throw Error(fmt::format("there are more than {} dots, and no config needs as many", most_dots), name,
                "`doc2s explain` lists the keys");
  if (const std::size_t at = stray_character(text); at != text.npos)
    throw Error("a character that is not ASCII stands outside of quotes",
                fmt::format("{}:{}", name, 1 + std::count(text.begin(), text.begin() + at, '\n')),
                "put a text into quotes");
}

}  // namespace doc2s
