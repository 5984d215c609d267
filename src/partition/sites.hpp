// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace doc2s {

// Data with one file or folder per client: a path with the text {client}, which stands for the client's
// number from 0.
bool is_site_pattern(const std::string& path);

// Whether at least one client's file exists; a machine need not have all.
bool some_site_exists(const std::string& pattern);

std::string absolute_pattern(const std::string& pattern);
std::string site_path(const std::string& pattern, int client);  // absolute
std::string existing_site_path(const std::string& pattern,
                               int client);  // throws Error if there is none

}  // namespace doc2s
