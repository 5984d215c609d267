// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

// Number of edits (insert, delete, replace, swap neighbours) from a to b.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) table[i][0] = i;
  std::iota(table[0].begin(), table[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      table[i][j] = std::min(
          {table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
    }
  return table[a.size()][b.size()];
}

constexpr std::size_t longest = 64;  // no name is this long, and the cost grows with the length

std::string lower(std::string word) {
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word;
}

std::string last_word(const std::string& key) { return key.substr(key.rfind('.') + 1); }

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  if (word.size() > longest) return best;
  std::size_t fewest = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    // "etta" alone matches "method.eta"
    const bool bare = word.find('.') == std::string::npos;
    const std::size_t count = edits(lower(word), lower(bare ? last_word(candidate) : candidate));
    if (count < fewest && count < word.size()) {
      fewest = count;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> nearest_three(const std::string& word, std::vector<std::string> candidates) {
  const std::string short_word = word.substr(0, longest);
  const auto unlike = [&](const std::string& candidate) {
    if (!word.empty() && candidate.find(word) != std::string::npos) return 0.0;
    const auto length = static_cast<double>(std::max(short_word.size(), candidate.size()));
    return static_cast<double>(edits(short_word, candidate)) / length;
  };
  std::ranges::stable_sort(candidates, {}, unlike);
  candidates.resize(std::min<std::size_t>(3, candidates.size()));
  return candidates;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  if (!near.empty()) return "did you mean \"" + near + "\"?";
  return "choose one of " + joined(candidates);
}

std::string printable(std::string_view text) {
  constexpr std::size_t most = 24;  // characters printed
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const std::string shown = byte < 0x20 || byte > 0x7e ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
    if (out.size() + shown.size() > most) return '"' + out + "…\"";
    out += shown;
  }
  return '"' + out + '"';
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string joined(const std::vector<std::string>& texts, const std::string& separator) {
  std::string text;
  for (std::size_t k = 0; k < texts.size(); ++k) text += (k == 0 ? "" : separator) + texts[k];
  return text;
}

namespace {

// ASCII in UTF-16 without a mark: every other byte is zero.
bool has_every_other_byte_zero(std::string_view text) {
  const auto zeros = [&](std::size_t first) { return text[first] == '\0' && text[first + 2] == '\0'; };
  return text.size() >= 4 && zeros(0) != zeros(1) && (zeros(0) ? text[1] && text[3] : text[0] && text[2]);
}

}  // namespace

std::size_t byte_order_mark(std::string_view text, const std::string& name) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") || has_every_other_byte_zero(text))
    throw Error("is a text in UTF-16", name, "save it as UTF-8");
  return text.starts_with("\xef\xbb\xbf") ? 3 : 0;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace doc2s
