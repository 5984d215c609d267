// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "run/guarantee_steps.hpp"
#include "run/kept_run.hpp"

namespace doc2s::app {

// As `doc2s guarantee --json` prints it; `certificates` is null where the run did not finish.
std::string guarantee_json(const PlannedConfig& plan, const KeptInMemory& run,
                           const CertifyAnswer* certificates, const Verdict& verdict);

// Beside the run's own files, where its report finds it; "" where it has none.
std::string certificate_file_in(const std::string& directory);

}  // namespace doc2s::app
