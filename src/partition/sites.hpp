// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace doc2s {

// Data with one file or folder per client: a path with the text {client}, which stands for the client's
// number from 0, or with the names themselves, {cleveland,hungary}, in the clients' order.
bool is_site_pattern(const std::string& path);

// How many names there are; 0: there is {client}, or it is no pattern.
std::size_t named_sites(const std::string& pattern);

// "heart/{cleveland,va}.csv" of "heart/cleveland.csv" and "heart/va.csv". Throws Error if they end
// differently.
std::string pattern_of(const std::vector<std::string>& paths);

// Files of the pattern that are there, from this client's on.
std::vector<std::string> sites_from(const std::string& pattern, int first);

// Whether at least one client's file exists; a machine need not have all.
bool some_site_exists(const std::string& pattern);

std::string absolute_pattern(const std::string& pattern);
std::string site_path(const std::string& pattern, int client);  // absolute
std::string existing_site_path(const std::string& pattern,
                               int client);  // throws Error if there is none

}  // namespace doc2s
