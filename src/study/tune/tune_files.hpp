// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tune.hpp"

namespace doc2s {

// What the folder is for; two requests with the same text have the same results.
std::string request_text(const TuneRequest& request);

// What a tune leaves: tuned.toml, tune.csv, tune.json and report.html.
void write_tuned(const TuneRequest& request, const Tuned& tuned);

// Of these, the text of tune.json, and what it shares with the others.
std::string tune_json(const TuneRequest& request, const Tuned& tuned);
std::string relative(const std::string& directory, const TuneRequest& request);  // to the folder
std::string status_text(const Trial& trial);

}  // namespace doc2s
