#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "certify_answer.hpp"
#include "commands.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/configs.hpp"
#include "report/report.hpp"
#include "run/certify.hpp"

namespace doc2s::app {

namespace {

struct CertifyArgs {
  std::string target;  // a run's directory or a .npy file
  std::string config, which = "output", client = "all";
  double delta = certify_defaults.delta;
  std::optional<double> epsilon;
  Index budget = certify_defaults.budget, sampled = 0;
  std::string save, check;  // files; "" for none
  bool json = false, force = false, quiet = false;
};

constexpr double most_delta = 1e100;

void check_args(const CertifyArgs& args) {
  if (!(args.delta > 0) || args.delta > most_delta)
    throw Error(fmt::format("a ball of radius {} cannot be used", args.delta), "--delta",
                "give a number above 0");
  if (args.target.empty())
    throw Error("neither a run nor a point is named", "",
                "give RUN_DIR, or POINT.npy and --config, or --check FILE");
  std::error_code unknown;
  if (!args.save.empty() && !args.force && std::filesystem::exists(args.save, unknown))
    throw Error("already exists", "--save " + args.save, "give another file, or --force to replace it");
}

void print(const CertifyAnswer& answer, bool as_json) { as_json ? print_json(answer) : print_words(answer); }

CertificateFound found_for(const PointToCertify& one, const GradientFunction& gradient,
                           const CertifyArgs& args, std::uint64_t seed, const std::string& place,
                           Patience& patience) {
  CertificateSearch search{.delta = args.delta, .epsilon = args.epsilon.value_or(0), .budget = args.budget};
  search.seed = seed;
  search.on_progress = [&](Index gradients, double bound) {
    patience.show(fmt::format("{} ({}): {} of {} gradients, {} {:.4g}", name_of(one.client), place, gradients,
                              args.budget, args.sampled > 0 ? "estimate" : "bound", bound));
  };
  return find_certificate(gradient, one.point, search);
}

int find(const CertifyArgs& args) {
  check_args(args);
  const PointsToCertify asked = points_to_certify({args.target, args.config, args.which, args.client});
  CertifiedProblem problem(asked.config);
  check_dimension(std::ssize(asked.points.front().point), problem, asked.file);
  const std::uint64_t seed = problem.config.seed();
  const GradientFunction gradient = problem.gradient(args.sampled, seed);
  CertificateFile file{written_problem(problem.config), seed, args.sampled, args.epsilon, {}};
  CertifyAnswer answer{args.delta, args.epsilon, args.sampled};
  Patience patience(args.quiet);
  for (const auto& one : asked.points) {
    const std::string place = fmt::format("{} of {}", answer.results.size() + 1, asked.points.size());
    auto [certificate, gradients] = found_for(one, gradient, args, seed, place, patience);
    answer.results.push_back({one.client, certificate.bound, std::ssize(certificate.points), gradients});
    if (!args.save.empty()) file.entries.push_back({one.client, std::move(certificate)});
  }
  if (!args.save.empty()) write_whole_file(args.save, certificate_bytes(file));
  print(answer, args.json);
  return 0;
}

// The file alone says nothing until its numbers are found to fit the problem.
CertifyAnswer checked(const CertificateFile& file, const CertifyArgs& args) {
  const std::string& path = args.check;
  const auto where = [&](const auto& entry) { return path + ": " + name_of(entry.client); };
  for (const auto& entry : file.entries) check_shape(entry.certificate, where(entry));
  const auto configs = args.config.empty() ? parse_configs(file.problem, path) : read_configs(args.config);
  CertifiedProblem problem(configs.front());
  const Certificate& first = file.entries.front().certificate;
  check_dimension(std::ssize(first.centre), problem, path);
  const GradientFunction gradient = problem.gradient(file.sampled, file.seed);
  CertifyAnswer answer{first.delta, args.epsilon ? args.epsilon : file.epsilon, file.sampled};
  Patience patience(args.quiet);
  for (const auto& entry : file.entries) {
    const double bound = check_certificate(entry.certificate, gradient, where(entry));
    const Index points = std::ssize(entry.certificate.points);
    answer.results.push_back({entry.client, bound, points, points + 1});
    patience.show(fmt::format("{} of {} checked", answer.results.size(), file.entries.size()));
  }
  return answer;
}

int check(const CertifyArgs& args) {
  const CertifyAnswer answer = checked(parse_certificates(read_plain(args.check), args.check), args);
  print(answer, args.json);
  if (!args.json)
    fmt::print("every point, weight and gradient was checked again: the {} hold\n",
               answer.sampled > 0 ? "estimates" : "certificates");
  return 0;
}

int certify_command(const CertifyArgs& args) {
  if (args.epsilon && (!(*args.epsilon >= 0) || std::isinf(*args.epsilon)))
    throw Error(fmt::format("{} is no bound of a norm", *args.epsilon), "--epsilon", "give a number from 0");
  return args.check.empty() ? find(args) : check(args);
}

}  // namespace

void add_certify(CLI::App& program, Action& action) {
  auto args = std::make_shared<CertifyArgs>();
  CLI::App* command = program.add_subcommand(
      "certify", "bound how far points are from (delta, epsilon)-Goldstein stationary, with a proof");
  command->footer(
      "Example:\n  doc2s certify runs/first --delta 0.1 --epsilon 0.05 --save first.certificate\n"
      "  doc2s certify --check first.certificate");
  CLI::Option* check =
      command->add_option("--check", args->check, "verify the certificates in this file from scratch")
          ->type_name("FILE");
  const auto search = [=](CLI::Option* option) { return check->excludes(option), option; };
  search(command->add_option("target", args->target,
                             "the directory of a run, or points in a file with --config"))
      ->type_name("RUN_DIR|POINT.npy");
  search(command->add_option("--delta", args->delta, "radius of the ball around a point; default: 0.1"))
      ->type_name("NUMBER");
  command->add_option("--epsilon", args->epsilon, "stop at this bound and say whether it was reached")
      ->type_name("NUMBER");
  search(
      command->add_option("--which", args->which, "a run's output (one row per client) or last (one point)"))
      ->check(CLI::IsMember({"output", "last"}));
  search(command->add_option("--client", args->client, "all, or one client's number, from 0"))
      ->type_name("all|i");
  command->add_option("--config", args->config, "the problem that POINT.npy, or --check, is about")
      ->type_name("CONFIG.toml");
  search(command->add_option("--budget", args->budget, "gradients per point; default: 60"))
      ->type_name("N")
      ->check(CLI::Range(Index{1}, Index{1000000}));
  search(
      command->add_option("--sampled", args->sampled,
                          "gradients over N samples of each client: faster, an estimate instead of a bound"))
      ->type_name("N")
      ->check(CLI::Range(Index{1}, Index{1} << 40));
  search(command->add_option("--save", args->save, "keep the certificates, for --check"))->type_name("FILE");
  search(command->add_flag("--force", args->force, "replace the file that --save names"));
  command->add_flag("--json", args->json, "a list of JSON objects instead of a table");
  command->add_flag("--quiet", args->quiet, "no progress and no notes on stderr");
  command->callback([=, &action] { action = [=] { return certify_command(*args); }; });
}

}  // namespace doc2s::app
