#pragma once
#include <string>

namespace doc2s {

// Data of which each client has a file or folder of its own: a path with the text {client} in it, which
// stands for the client's number, counted from 0.
bool is_site_pattern(const std::string& path);

// Whether there is one of some client: a machine need not have all.
bool some_site_exists(const std::string& pattern);

std::string absolute_pattern(const std::string& pattern);
std::string site_path(const std::string& pattern, int client);  // absolute
std::string existing_site_path(const std::string& pattern,
                               int client);  // throws Error where nothing is there

}  // namespace doc2s
