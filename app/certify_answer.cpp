// SPDX-License-Identifier: Apache-2.0
#include "certify_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "aside.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "report/recorded_run.hpp"
#include "table.hpp"
#include "theory/outward.hpp"

namespace doc2s::app {

namespace {

std::string as_json(const CertifyResult& result, const CertifyAnswer& answer) {
  const char* const reached = !answer.epsilon ? "null" : answer.reaches(result) ? "true" : "false";
  JsonObject object;
  if (!result.run.empty()) object.add("run", result.run);
  object.add_raw("client", result.client ? std::to_string(*result.client) : "null")
      .add("bound", result.bound)
      .add("delta", answer.delta)
      .add_raw("epsilon", answer.epsilon ? json(*answer.epsilon) : "null")
      .add_raw("certified", answer.is_estimate() ? "null" : reached)
      .add_raw("reached", reached)
      .add("bundle", result.bundle)
      .add("gradients", result.gradients)
      .add("kink", result.kink)
      .add("kind", answer.is_estimate() ? "estimate" : "exact");
  if (!answer.which.empty()) object.add("point", answer.which);
  return object.line();
}

std::vector<std::vector<std::string>> table(const CertifyAnswer& answer) {
  std::vector<std::vector<std::string>> rows = {
      {"client", answer.is_estimate() ? "estimate" : "bound", "bundle", "gradients"}};
  if (answer.epsilon) rows.front().push_back(answer.is_estimate() ? "reached" : "certified");
  const bool several = !answer.results.empty() && !answer.results.front().run.empty();
  if (several) rows.front().insert(rows.front().begin(), "run");
  for (const auto& result : answer.results) {
    rows.push_back({result.client ? std::to_string(*result.client) : "(all)", rounded_up(result.bound, 4),
                    std::to_string(result.bundle), std::to_string(result.gradients)});
    if (answer.epsilon) rows.back().push_back(answer.reaches(result) ? "yes" : "no");
    if (several) rows.back().insert(rows.back().begin(), result.run);
  }
  return rows;
}

}  // namespace

std::string json_text(const CertifyAnswer& answer) {
  std::vector<std::string> lines;
  for (const auto& result : answer.results) lines.push_back("  " + as_json(result, answer));
  return fmt::format("[\n{}\n]\n", joined(lines, ",\n"));
}

void check_search(const CertifySearch& search) {
  constexpr double most_delta = 1e100;
  if (search.epsilon && (!(*search.epsilon >= 0) || std::isinf(*search.epsilon)))
    throw Error(fmt::format("{} is no bound of a norm", *search.epsilon), "--epsilon",
                "give a number from 0");
  if (!(search.delta > 0) || search.delta > most_delta)
    throw Error(fmt::format("a ball of radius {} cannot be used", search.delta), "--delta",
                "give a number above 0");
}

bool holds_several_runs(const std::string& target) {
  std::error_code unknown;
  const auto has = [&](const char* file) { return std::filesystem::exists(target + file, unknown); };
  return std::filesystem::is_directory(target, unknown) && !has("/config.toml") && !has("/metrics.jsonl") &&
         !has("/output.npy");
}

namespace {

CertifyAnswer of_one(const CertifyRequest& request, const CertifySearch& search, const News& news) {
  const PointsToCertify asked = points_to_certify(request);
  CertifiedProblem problem(asked.config);
  return certified(asked, problem, search, news);
}

void add(const std::string& run, CertifyAnswer one, CertifyAnswer& all) {
  all.which = one.which;
  all.differences = one.differences;
  for (CertifyResult& result : one.results) {
    result.run = run;
    all.results.push_back(std::move(result));
  }
  for (std::string& note : one.notes) all.notes.push_back(run + ": " + std::move(note));
}

}  // namespace

CertifyAnswer certified(const CertifyRequest& request, const CertifySearch& search, const News& news) {
  if (!holds_several_runs(request.target)) return of_one(request, search, news);
  CertifyAnswer all{search.delta, search.epsilon, search.sampled};
  std::exception_ptr first;
  for (const std::string& run : run_directories(request.target)) try {
      add(run,
          of_one({run, request.config, request.which, request.client}, search,
                 [&](const std::string& text) { news(run + ": " + text); }),
          all);
    } catch (const Error& error) {  // it was dropped, has diverged, or goes on
      if (!first) first = std::current_exception();
      all.notes.push_back(fmt::format("left out: {}", error.what()));
    }
  if (all.results.empty() && first) std::rethrow_exception(first);
  return all;
}

void tell_notes(const CertifyAnswer& answer) {
  for (const std::string& note : answer.notes) aside("doc2s: note: {}\n", note);
}

void print_words(const CertifyAnswer& answer) {
  print_table(table(answer));
  if (answer.which == "last")
    fmt::print("\npoint: last.npy, x of the whole run (--which output: each client's)");
  if (answer.which == "output") fmt::print("\npoint: output.npy, the output of each client");
  if (answer.sampled > 0)
    fmt::print("\nestimates from {} samples of each client, no bounds; without --sampled there are bounds\n",
               answer.sampled);
  else if (answer.differences)
    fmt::print(
        "\nestimates, no bounds: the problem gives values alone, and gradients are differences of these\n");
  else
    fmt::print(
        "\nupper bounds of the least norm over the convex hull of the gradients within {} of the point\n",
        answer.delta);
  if (!answer.epsilon) return;
  const auto reached = std::count_if(answer.results.begin(), answer.results.end(),
                                     [&](const CertifyResult& result) { return answer.reaches(result); });
  fmt::print("({}, {})-Goldstein stationary{}: {} of {}\n", answer.delta, *answer.epsilon,
             answer.is_estimate() ? " by these estimates" : "", reached, answer.results.size());
}

}  // namespace doc2s::app
