// SPDX-License-Identifier: Apache-2.0
#include "problems/preprocessing.hpp"

#include <stdexcept>

#include "target.hpp"

// What is read is written again as it was read.
DOC2S_FUZZ_TARGET(bytes) {
  const std::string text = doc2s::preprocessing_text(doc2s::parse_preprocessing(std::string(bytes), "input"));
  if (doc2s::preprocessing_text(doc2s::parse_preprocessing(text, "again")) != text)
    throw std::logic_error("another text: " + text);
}
