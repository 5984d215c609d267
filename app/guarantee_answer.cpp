// SPDX-License-Identifier: Apache-2.0
#include "guarantee_answer.hpp"

#include "base/json.hpp"
#include "base/text.hpp"
#include "certify_answer.hpp"
#include "plan_figures.hpp"

namespace doc2s::app {

std::string guarantee_json(const PlannedConfig& plan, const KeptInMemory& run,
                           const CertifyAnswer* certificates, const Verdict& verdict) {
  return JsonObject()
      .add_raw("plan", plan_json({plan}))
      .add_raw("run", trimmed(run.summary))
      .add_raw("certificates", certificates ? trimmed(json_text(*certificates)) : "[]")
      .add("certified", verdict.certified)
      .add("verdict", verdict.text)
      .lines();
}

std::string certificate_file_in(const std::string& directory) {
  return directory.empty() ? "" : directory + "/guarantee.certificate";
}

}  // namespace doc2s::app
