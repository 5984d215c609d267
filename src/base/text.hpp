// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace doc2s {

// The candidate nearest to a mistyped name, or "" if none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

// The three candidates that are most like the word: those that contain it, then by the share of letters to
// edit.
std::vector<std::string> nearest_three(const std::string& word, std::vector<std::string> candidates);

// `did you mean "eta"?`, or `choose one of a, b, c` if none is near.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

// The text in quotes for a message: shortened, unprintable bytes as \xNN.
std::string printable(std::string_view text);

std::string trimmed(const std::string& text);  // without blanks and tabs at its ends

std::string joined(const std::vector<std::string>& texts, const std::string& separator = ", ");

// The length of the byte-order mark that a text in UTF-8 may begin with: 0 or 3 bytes. Throws Error where it
// is UTF-16; `name` is for the message.
std::size_t byte_order_mark(std::string_view text, const std::string& name);

// RFC 4180: in quotes, and quotes inside doubled, where it contains a comma, a quote or a line break.
std::string csv_field(const std::string& text);

}  // namespace doc2s
