#include "certify_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aside.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace {

bool reaches(const CertifyResult& result, const CertifyAnswer& answer) {
  return answer.epsilon && result.bound <= *answer.epsilon;
}

std::string as_json(const CertifyResult& result, const CertifyAnswer& answer) {
  JsonObject object;
  object.add_raw("client", result.client ? std::to_string(*result.client) : "null")
      .add("bound", result.bound)
      .add("delta", answer.delta)
      .add_raw("epsilon", answer.epsilon ? json(*answer.epsilon) : "null")
      .add_raw("certified", !answer.epsilon           ? "null"
                            : reaches(result, answer) ? "true"
                                                      : "false")
      .add("bundle", result.bundle)
      .add("gradients", result.gradients)
      .add("kind", answer.sampled > 0 ? "estimate" : "exact");
  return object.line();
}

std::vector<std::vector<std::string>> table(const CertifyAnswer& answer) {
  std::vector<std::vector<std::string>> rows = {
      {"client", answer.sampled > 0 ? "estimate" : "bound", "bundle", "gradients"}};
  if (answer.epsilon) rows.front().push_back("certified");
  for (const auto& result : answer.results) {
    rows.push_back({result.client ? std::to_string(*result.client) : "(all)",
                    fmt::format("{:.4g}", result.bound), std::to_string(result.bundle),
                    std::to_string(result.gradients)});
    if (answer.epsilon) rows.back().push_back(reaches(result, answer) ? "yes" : "no");
  }
  return rows;
}

}  // namespace

void print_json(const CertifyAnswer& answer) {
  std::vector<std::string> lines;
  for (const auto& result : answer.results) lines.push_back("  " + as_json(result, answer));
  fmt::print("[\n{}\n]\n", joined(lines, ",\n"));
}

void print_words(const CertifyAnswer& answer) {
  print_table(table(answer));
  if (answer.sampled > 0)
    fmt::print("\nestimates from {} samples of each client, no bounds; without --sampled there are bounds\n",
               answer.sampled);
  else
    fmt::print(
        "\nupper bounds of the least norm over the convex hull of the gradients within {} of the point\n",
        answer.delta);
  if (!answer.epsilon) return;
  const auto reached = std::count_if(answer.results.begin(), answer.results.end(),
                                     [&](const CertifyResult& result) { return reaches(result, answer); });
  fmt::print("({}, {})-Goldstein stationary{}: {} of {}\n", answer.delta, *answer.epsilon,
             answer.sampled > 0 ? " by these estimates" : "", reached, answer.results.size());
}

std::string name_of(const std::optional<Index>& client) {
  return client ? fmt::format("client {}", *client) : "the point";
}

void Patience::show(const std::string& text) {
  if (quiet_ || Clock::now() < next_) return;
  next_ = Clock::now() + pause;
  aside("{}\n", text);
}

}  // namespace doc2s::app
