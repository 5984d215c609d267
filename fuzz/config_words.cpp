// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <set>

#include "run/known_options.hpp"

// config_words SYNTAX DICTIONARY: writes the words of the first file, then every section, key and choice that
// a config knows, in libFuzzer's form: one quoted text a line.
int main(int, char** argv) {
  std::set<std::string> words;
  for (const auto& known : doc2s::known_options()) {
    if (!known.section.empty()) words.insert("[" + known.section + "]");
    words.insert(known.option.name + " = ");
    for (const auto& choice : known.option.choices) words.insert("\\\"" + choice + "\\\"");
  }
  std::ofstream dictionary(argv[2]);
  dictionary << std::ifstream(argv[1]).rdbuf();
  for (const auto& word : words) dictionary << '"' << word << "\"\n";
  return dictionary.flush() ? 0 : 1;
}
