// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "run/certified.hpp"

namespace doc2s::app {

void check_search(const CertifySearch& search);  // throws Error

// Of a run, a file of points, or all runs of a comparison, a sweep or a tuning that have such points. Throws
// the first run's Error where none has.
CertifyAnswer certified(const CertifyRequest& request, const CertifySearch& search, const News& news);
bool holds_several_runs(const std::string& target);

std::string json_text(const CertifyAnswer& answer);
void tell_notes(const CertifyAnswer& answer);  // on stderr
void print_words(const CertifyAnswer& answer);

}  // namespace doc2s::app
