#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "certify_answer.hpp"
#include "commands.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "report/report.hpp"
#include "run/certify.hpp"

namespace doc2s::app {

namespace {

constexpr double most_delta = 1e100;

void check_words(const CertifyWords& words) {
  if (!(words.delta > 0) || words.delta > most_delta)
    throw Error(fmt::format("a ball of radius {} cannot be used", words.delta), "--delta",
                "give a number above 0");
  if (words.target.empty())
    throw Error("neither a run nor a point is named", "",
                "give RUN_DIR, or POINT.npy and --config, or --check FILE");
  std::error_code unknown;
  if (!words.save.empty() && !words.force && std::filesystem::exists(words.save, unknown))
    throw Error("already exists", "--save " + words.save, "give another file, or --force to replace it");
}

void print(const CertifyAnswer& answer, bool as_json) { as_json ? print_json(answer) : print_words(answer); }

CertificateFound found_for(const PointToCertify& one, const GradientFunction& gradient,
                           const CertifyWords& words, std::uint64_t seed, const std::string& place,
                           Patience& patience) {
  CertificateSearch search{
      .delta = words.delta, .epsilon = words.epsilon.value_or(0), .budget = words.budget};
  search.seed = seed;
  search.on_progress = [&](Index gradients, double bound) {
    patience.show(fmt::format("{} ({}): {} of {} gradients, {} {:.4g}", name_of(one.client), place, gradients,
                              words.budget, words.sampled > 0 ? "estimate" : "bound", bound));
  };
  return find_certificate(gradient, one.point, search);
}

int find(const CertifyWords& words) {
  check_words(words);
  const PointsToCertify asked = points_to_certify({words.target, words.config, words.which, words.client});
  CertifiedProblem problem(asked.config);
  check_dimension(std::ssize(asked.points.front().point), problem, asked.file);
  const std::uint64_t seed = problem.config.seed();
  const GradientFunction gradient = problem.gradient(words.sampled, seed);
  CertificateFile file{written_problem(problem.config), seed, words.sampled, words.epsilon, {}};
  CertifyAnswer answer{words.delta, words.epsilon, words.sampled};
  Patience patience(words.quiet);
  for (const auto& one : asked.points) {
    const std::string place = fmt::format("{} of {}", answer.results.size() + 1, asked.points.size());
    auto [certificate, gradients] = found_for(one, gradient, words, seed, place, patience);
    answer.results.push_back({one.client, certificate.bound, std::ssize(certificate.points), gradients});
    if (!words.save.empty()) file.entries.push_back({one.client, std::move(certificate)});
  }
  if (!words.save.empty()) write_whole_file(words.save, certificate_bytes(file));
  print(answer, words.json);
  return 0;
}

// The file alone says nothing until its numbers are found to fit the problem.
CertifyAnswer checked(const CertificateFile& file, const CertifyWords& words) {
  const std::string& path = words.check;
  const auto where = [&](const auto& entry) { return path + ": " + name_of(entry.client); };
  for (const auto& entry : file.entries) check_shape(entry.certificate, where(entry));
  const auto configs = words.config.empty() ? parse_configs(file.problem, path) : read_configs(words.config);
  CertifiedProblem problem(configs.front());
  const Certificate& first = file.entries.front().certificate;
  check_dimension(std::ssize(first.centre), problem, path);
  const GradientFunction gradient = problem.gradient(file.sampled, file.seed);
  CertifyAnswer answer{first.delta, words.epsilon ? words.epsilon : file.epsilon, file.sampled};
  Patience patience(words.quiet);
  for (const auto& entry : file.entries) {
    const double bound = check_certificate(entry.certificate, gradient, where(entry));
    const Index points = std::ssize(entry.certificate.points);
    answer.results.push_back({entry.client, bound, points, points + 1});
    patience.show(fmt::format("{} of {} checked", answer.results.size(), file.entries.size()));
  }
  return answer;
}

int check(const CertifyWords& words) {
  const CertifyAnswer answer = checked(parse_certificates(read_plain(words.check), words.check), words);
  print(answer, words.json);
  if (!words.json)
    fmt::print("every point, weight and gradient was checked again: the {} hold\n",
               answer.sampled > 0 ? "estimates" : "certificates");
  return 0;
}

}  // namespace

int certify_command(const CertifyWords& words) {
  if (words.epsilon && (!(*words.epsilon >= 0) || std::isinf(*words.epsilon)))
    throw Error(fmt::format("{} is no bound of a norm", *words.epsilon), "--epsilon", "give a number from 0");
  return words.check.empty() ? find(words) : check(words);
}

}  // namespace doc2s::app
