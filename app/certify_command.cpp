#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/json.hpp"
#include "doc2s/base/text.hpp"
#include "doc2s/data/files.hpp"
#include "doc2s/report/report.hpp"
#include "doc2s/run/certify.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace {

constexpr double most_delta = 1e100;

// A line of the answer.
struct Result {
  std::optional<Index> client;
  double bound;
  Index bundle, gradients;
};

// Signs of life on stderr for what takes longer than a moment.
class Patience {
 public:
  explicit Patience(bool quiet) : quiet_(quiet) {}

  void show(const std::string& text) {
    if (quiet_ || std::chrono::steady_clock::now() < next_) return;
    next_ = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    fmt::print(stderr, "{}\n", text);
  }

 private:
  bool quiet_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds(2);
};

std::string name_of(const std::optional<Index>& client) {
  return client ? fmt::format("client {}", *client) : "the point";
}

std::string as_json(const Result& result, double delta, std::optional<double> epsilon, Index sampled) {
  JsonObject object;
  object.add_raw("client", result.client ? std::to_string(*result.client) : "null")
      .add("bound", result.bound)
      .add("delta", delta)
      .add_raw("epsilon", epsilon ? json(*epsilon) : "null")
      .add_raw("certified", !epsilon                   ? "null"
                            : result.bound <= *epsilon ? "true"
                                                       : "false")
      .add("bundle", result.bundle)
      .add("gradients", result.gradients)
      .add("kind", sampled > 0 ? "estimate" : "exact");
  return object.line();
}

void print_json(const std::vector<Result>& results, double delta, std::optional<double> epsilon,
                Index sampled) {
  std::vector<std::string> lines;
  for (const auto& result : results) lines.push_back("  " + as_json(result, delta, epsilon, sampled));
  fmt::print("[\n{}\n]\n", joined(lines, ",\n"));
}

void print_results(const std::vector<Result>& results, double delta, std::optional<double> epsilon,
                   Index sampled) {
  std::vector<std::vector<std::string>> rows = {
      {"client", sampled > 0 ? "estimate" : "bound", "bundle", "gradients"}};
  if (epsilon) rows.front().push_back("certified");
  Index reached = 0;
  for (const auto& result : results) {
    rows.push_back({result.client ? std::to_string(*result.client) : "(all)",
                    fmt::format("{:.4g}", result.bound), std::to_string(result.bundle),
                    std::to_string(result.gradients)});
    if (epsilon) rows.back().push_back(result.bound <= *epsilon ? "yes" : "no");
    reached += epsilon && result.bound <= *epsilon;
  }
  print_table(rows);
  if (sampled > 0)
    fmt::print("\nestimates from {} samples of each client, no bounds; leave out --sampled for bounds\n",
               sampled);
  else
    fmt::print(
        "\nupper bounds of the least norm over the convex hull of the gradients within {} of the point\n",
        delta);
  if (epsilon)
    fmt::print("({}, {})-Goldstein stationary{}: {} of {}\n", delta, *epsilon,
               sampled > 0 ? " by these estimates" : "", reached, results.size());
}

void check_words(const CertifyWords& words) {
  if (!(words.delta > 0) || words.delta > most_delta)
    throw Error(fmt::format("a ball of radius {} cannot be used", words.delta), "--delta",
                "give a number above 0");
  if (words.epsilon && (!(*words.epsilon >= 0) || std::isinf(*words.epsilon)))
    throw Error(fmt::format("{} is no bound of a norm", *words.epsilon), "--epsilon", "give a number from 0");
  if (words.target.empty())
    throw Error("neither a run nor a point is named", "",
                "give RUN_DIR, or POINT.npy and --config, or --check FILE");
  std::error_code unknown;
  if (!words.save.empty() && !words.force && std::filesystem::exists(words.save, unknown))
    throw Error("already exists", "--save " + words.save, "give another file, or --force to replace it");
}

int find(const CertifyWords& words) {
  check_words(words);
  const PointsToCertify asked = points_to_certify({words.target, words.config, words.which, words.client});
  CertifiedProblem problem(asked.config);
  check_dimension(std::ssize(asked.points.front().point), problem, asked.file);
  const GradientFunction gradient = problem.gradient(words.sampled, problem.config.seed());
  CertificateFile file{
      written_problem(problem.config), problem.config.seed(), words.sampled, words.epsilon, {}};
  std::vector<Result> results;
  Patience patience(words.quiet);
  for (const auto& [client, point] : asked.points) {
    CertificateSearch search{
        .delta = words.delta, .epsilon = words.epsilon.value_or(0), .budget = words.budget};
    search.seed = problem.config.seed();
    search.on_progress = [&](Index gradients, double bound) {
      patience.show(fmt::format("{} ({} of {}): {} of {} gradients, bound {:.4g}", name_of(client),
                                results.size() + 1, asked.points.size(), gradients, words.budget, bound));
    };
    CertificateFound found = find_certificate(gradient, point, search);
    results.push_back(
        {client, found.certificate.bound, std::ssize(found.certificate.points), found.gradients});
    if (!words.save.empty()) file.entries.push_back({client, std::move(found.certificate)});
  }
  if (!words.save.empty()) write_whole_file(words.save, certificate_bytes(file));
  if (words.json)
    print_json(results, words.delta, words.epsilon, words.sampled);
  else
    print_results(results, words.delta, words.epsilon, words.sampled);
  return 0;
}

int check(const CertifyWords& words) {
  const std::string& path = words.check;
  if (!words.target.empty() || !words.save.empty())
    throw Error("stands alone", "--check " + path, "leave the rest out, but --config, --json and --quiet");
  const CertificateFile file = parse_certificates(read_plain(path), path);
  for (const auto& [client, certificate] : file.entries)
    check_shape(certificate, path + ": " + name_of(client));
  const auto configs = words.config.empty() ? parse_configs(file.problem, path) : read_configs(words.config);
  CertifiedProblem problem(configs.front());
  check_dimension(std::ssize(file.entries.front().certificate.centre), problem, path);
  const GradientFunction gradient = problem.gradient(file.sampled, file.seed);
  std::vector<Result> results;
  Patience patience(words.quiet);
  for (const auto& [client, certificate] : file.entries) {
    const double bound = check_certificate(certificate, gradient, path + ": " + name_of(client));
    results.push_back({client, bound, std::ssize(certificate.points), std::ssize(certificate.points) + 1});
    patience.show(fmt::format("{} of {} checked", results.size(), file.entries.size()));
  }
  const double delta = file.entries.front().certificate.delta;
  if (words.json) {
    print_json(results, delta, file.epsilon, file.sampled);
    return 0;
  }
  print_results(results, delta, file.epsilon, file.sampled);
  fmt::print("every point, weight and gradient was checked again: the {} hold\n",
             file.sampled > 0 ? "estimates" : "certificates");
  return 0;
}

}  // namespace

int certify_command(const CertifyWords& words) { return words.check.empty() ? find(words) : check(words); }

}  // namespace doc2s::app
