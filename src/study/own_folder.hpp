// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace doc2s {

// Makes the folder a command's own: the file `mark` in it holds `text`, which says what the folder is for.
// Throws Error where it holds other things, or where its mark has another text: `another` is then what it
// holds, e.g. "figures of another scale".
void check_folder(const std::string& root, const std::string& mark, const std::string& text,
                  const std::string& command, const std::string& another);
void claim_folder(const std::string& root, const std::string& mark, const std::string& text);

// What holds n×d numbers would fill the disk; running it again brings the outputs back.
void drop_large_files(const std::string& directory, bool keep_outputs);

}  // namespace doc2s
