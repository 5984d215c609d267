// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "certify_answer.hpp"
#include "commands.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/configs.hpp"
#include "progress.hpp"
#include "signals.hpp"

namespace doc2s::app {

namespace {

struct CertifyArgs {
  std::string target;  // the directory of a run or of several, or a .npy file
  std::string config, which, client = "all";
  CertifySearch search{certify_defaults.delta, {}, certify_defaults.budget, 0};
  std::string save, check;  // files; "" for none
  bool json = false, force = false, quiet = false;
};

void check_args(const CertifyArgs& args) {
  if (args.target.empty())
    throw Error("neither a run nor a point is named", "",
                "give RUN_DIR, or POINT.npy and --config, or --check FILE");
  std::error_code unknown;
  if (!args.save.empty() && !args.force && std::filesystem::exists(args.save, unknown))
    throw Error("already exists", "--save " + args.save, "give another file, or --force to replace it");
}

void print(const CertifyAnswer& answer, bool as_json) {
  as_json ? fmt::print("{}", json_text(answer)) : print_words(answer);
}

void heed_stop() {
  if (stop_requested) throw Interrupted("interrupted while looking for certificates; nothing was saved");
}

// For --check, which needs the problem too.
CertifyAnswer saved(const CertifyRequest& request, const CertifyArgs& args, const News& news) {
  const PointsToCertify asked = points_to_certify(request);
  CertifiedProblem problem(asked.config);
  if (!problem.has_gradient())
    throw Error("the problem gives values alone, so there are estimates and no certificates",
                "--save " + args.save, "leave --save out");
  listen_to_signals(/*speaks=*/false);  // an unfinished file is taken away
  return certified_in_file(args.save, asked, problem, args.search, [&](const std::string& text) {
    heed_stop();
    news(text);
  });
}

int find(const CertifyArgs& args) {
  check_args(args);
  const CertifyRequest request{args.target, args.config, args.which, args.client};
  if (!args.save.empty() && holds_several_runs(args.target))
    throw Error("certificates are saved for one run, and this folder holds several", "--save " + args.save,
                "name one of them");
  ProgressLine line(args.quiet, "certifying");
  const News news = [&](const std::string& text) { line.show(text); };
  const Listener listener(nullptr, news);  // to the data that is read
  const CertifyAnswer answer =
      args.save.empty() ? certified(request, args.search, news) : saved(request, args, news);
  line.clear();
  print(answer, args.json);
  if (!args.quiet) tell_notes(answer);
  return 0;
}

// The file alone says nothing until its numbers are found to fit the problem.
CertifyAnswer checked(const CertificateFile& file, const CertifyArgs& args, ProgressLine& line) {
  const std::string& path = args.check;
  const auto where = [&](const auto& entry) { return path + ": " + client_name(entry.client); };
  for (const auto& entry : file.entries) check_shape(entry.certificate, where(entry));
  const auto configs = args.config.empty() ? parse_configs(file.problem, path) : read_configs(args.config);
  CertifiedProblem problem(configs.front());
  const Certificate& first = file.entries.front().certificate;
  check_dimension(std::ssize(first.centre), problem, path);
  const GradientFunction gradient = problem.gradient(file.sampled, file.seed);
  CertifyAnswer answer{first.delta, args.search.epsilon ? args.search.epsilon : file.epsilon, file.sampled,
                       "", !problem.has_gradient()};
  for (const auto& entry : file.entries) {
    const Listener listener(nullptr, [&](const std::string& text) {
      line.show(fmt::format("{} of {}: {}", answer.results.size() + 1, file.entries.size(), text));
    });
    const auto [bound, kink, kinks] = check_certificate(entry.certificate, gradient, where(entry));
    const Index points = std::ssize(entry.certificate.points);
    answer.results.push_back({"", entry.client, bound, points, points + 1, kink});
    if (!kinks.empty())
      answer.notes.push_back(
          fmt::format("{}: f has a kink at point {} of the certificate, or within 2e-10 delta; the bound "
                      "relies on the gradient that the problem's code takes there",
                      client_name(entry.client), fmt::join(kinks, ", ")));
  }
  return answer;
}

int check(const CertifyArgs& args) {
  ProgressLine line(args.quiet, "checking");
  const Listener listener(nullptr, [&](const std::string& text) { line.show(text); });
  const CertifyAnswer answer = checked(parse_certificates(read_plain(args.check), args.check), args, line);
  line.clear();
  print(answer, args.json);
  if (!args.quiet) tell_notes(answer);
  if (!args.json)
    fmt::print("every point, weight and gradient was checked again: the {} hold\n",
               answer.is_estimate() ? "estimates" : "certificates");
  return 0;
}

int certify_command(const CertifyArgs& args) {
  check_search(args.search);
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
  search(command->add_option(
             "target", args->target,
             "the directory of a run, a comparison or a sweep, or points in a file with --config"))
      ->type_name("RUN_DIR|POINT.npy");
  search(
      command->add_option("--delta", args->search.delta, "radius of the ball around a point; default: 0.1"))
      ->type_name("NUMBER");
  command->add_option("--epsilon", args->search.epsilon, "stop at this bound and say whether it was reached")
      ->type_name("NUMBER");
  search(
      command->add_option("--which", args->which,
                          "a run's last (x, one point) or output (one row per client); default: last, or the "
                          "output where --client names one"))
      ->check(CLI::IsMember({"output", "last"}));
  search(command->add_option("--client", args->client, "all, or one client's number, from 0"))
      ->type_name("all|i");
  command->add_option("--config", args->config, "the problem that POINT.npy, or --check, is about")
      ->type_name("CONFIG.toml");
  search(command->add_option("--budget", args->search.budget, "gradients per point; default: 60"))
      ->type_name("N")
      ->check(CLI::Range(Index{1}, Index{1000000}));
  search(
      command->add_option("--sampled", args->search.sampled,
                          "gradients over N samples of each client: faster, an estimate instead of a bound"))
      ->type_name("N")
      ->check(CLI::Range(Index{1}, Index{1} << 40));
  search(command->add_option_function<double>(
             "--memory", [args](double gigabytes) { args->search.memory = gigabytes * 1e9; },
             "GB for the search at a point; default: 2"))
      ->type_name("NUMBER")
      ->check(CLI::Range(1e-3, 1e6));
  search(command->add_option("--save", args->save, "keep the certificates, for --check"))->type_name("FILE");
  search(command->add_flag("--force", args->force, "replace the file that --save names"));
  command->add_flag("--json", args->json, "a list of JSON objects instead of a table");
  command->add_flag("--quiet", args->quiet, "no progress and no notes on stderr");
  command->callback([=, &action] { action = [=] { return certify_command(*args); }; });
}

}  // namespace doc2s::app
