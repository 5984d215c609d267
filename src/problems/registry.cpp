// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <mutex>
#include <variant>

#include "doc2s/base/error.hpp"
#include "doc2s/problems/register_problem.hpp"
#include "kinds.hpp"
#include "lent_problem.hpp"
#include "mlp.hpp"
#include "svm.hpp"
#include "torch.hpp"

namespace doc2s {

namespace {

std::vector<Option> options_of_users_problem() {
  return {evaluation_option(std::nullopt),
          flag_option("check_gradient", true,
                      "compare the gradient with differences of values before a first-order run")};
}

[[noreturn]] void refuse_single_precision() {
  throw Error("this problem computes in float64", "precision", "leave precision out");
}

std::mutex lending;
std::variant<std::monostate, const Problem<float>*, const Problem<double>*> lent_problem;

template <class Real>
MadeProblem<Real> made_of_lent(const ProblemRequest& request) {
  const std::lock_guard lock(lending);
  if (lent_problem.index() == 0)
    throw Error("only the program that minimised this problem has it", request.problem.where("name"),
                "go on there; in Python r = doc2s.load(folder), then r.problem = f and r.certify(); in C++ "
                "doc2s::register_problem gives it a name");
  const auto* const problem = std::get_if<const Problem<Real>*>(&lent_problem);
  if (!problem) throw Error("is not that of the problem", "precision", "leave it out");
  const std::shared_ptr<const Problem<Real>> not_ours(*problem, [](const Problem<Real>*) {});
  return users_problem<Real>(not_ours, static_cast<int>(request.clients.integer("count")), request.here);
}

// Known by name, so that a report and a message can speak of it.
ProblemKind own_kind() {
  ProblemKind kind;
  kind.name = own_problem_name;
  kind.summary = "a problem that a program handed to doc2s::solve; it runs in that program alone";
  kind.options = options_of_users_problem();
  kind.make_float = made_of_lent<float>;
  kind.make_double = made_of_lent<double>;
  return kind;
}

ProblemKind registered_kind(const std::string& name, const ProblemFactory& factory,
                            std::vector<Option> options) {
  ProblemKind kind;
  kind.name = name;
  kind.summary = "registered by this program";
  kind.options = std::move(options);
  for (Option& option : options_of_users_problem()) kind.options.push_back(std::move(option));
  kind.make_float = [](const ProblemRequest&) -> MadeProblem<float> { refuse_single_precision(); };
  kind.make_double = [factory, name](const ProblemRequest& request) {
    const auto clients = static_cast<int>(request.clients.integer("count"));
    std::shared_ptr<const Problem<double>> problem = factory(request.problem, clients, request.seed);
    if (!problem) throw Error("its factory made no problem", "problem.name = \"" + name + "\"");
    return users_problem<double>(std::move(problem), clients, request.here);
  };
  return kind;
}

// Lists are only ever added, so that whoever holds one keeps it.
class Registry {
 public:
  const std::vector<ProblemKind>& kinds() {
    const std::lock_guard lock(mutex_);
    return lists_.back();
  }

  void add(ProblemKind kind) {
    const std::lock_guard lock(mutex_);
    const auto& known = lists_.back();
    if (std::ranges::any_of(known, [&](const ProblemKind& one) { return one.name == kind.name; }))
      throw Error(fmt::format("there is a problem \"{}\" already", kind.name), "register_problem",
                  "take another name");
    lists_.push_back(known);
    lists_.back().push_back(std::move(kind));
  }

 private:
  std::mutex mutex_;
  std::list<std::vector<ProblemKind>> lists_{
      {svm_kind(), mlp_kind(), resnet18_kind(), torchscript_kind(), own_kind()}};
};

Registry& registry() {
  static Registry all;
  return all;
}

void check_registration(const std::string& name, const ProblemFactory& factory,
                        const std::vector<Option>& options) {
  if (name.empty() || !factory) throw Error("a problem needs a name and a factory", "register_problem");
  const std::vector<Option> ours = options_of_users_problem();
  std::vector<std::string> taken = {"name", "batch"};
  for (const Option& option : ours) taken.push_back(option.name);
  for (const Option& option : options)
    if (std::ranges::find(taken, option.name) != taken.end())
      throw Error(fmt::format("the option \"{}\" is there for every problem", option.name),
                  fmt::format("register_problem(\"{}\")", name), "give yours another name");
}

}  // namespace

const std::vector<ProblemKind>& problem_kinds() { return registry().kinds(); }

void register_problem(const std::string& name, ProblemFactory factory, std::vector<Option> options) {
  check_registration(name, factory, options);
  registry().add(registered_kind(name, factory, std::move(options)));
}

template <class Real>
MadeProblem<Real> users_problem(std::shared_ptr<const Problem<Real>> problem, int clients, ClientRange here) {
  if (problem->clients() != clients)
    throw Error(
        fmt::format("the problem has {} clients, and clients.count is {}", problem->clients(), clients),
        "clients.count", "leave it out or make them equal");
  if (problem->dimension() < 1) throw Error("the problem's dimension must be at least 1", "problem");
  for (int client = here.first; client < here.end(); ++client)
    if (problem->samples(client) < 1)
      throw Error("has no sample", fmt::format("client {}", client), "samples(client) must be at least 1");
  MadeProblem<Real> made;
  made.problem = std::move(problem);
  made.is_users = true;
  return made;
}

template <class Real>
LentProblem::LentProblem(const Problem<Real>& problem) {
  const std::lock_guard lock(lending);
  if (lent_problem.index() != 0)
    throw Error("another study of a problem of one's own is under way", "problem",
                "wait for its end: there is one at a time");
  lent_problem = &problem;
}

LentProblem::~LentProblem() {
  const std::lock_guard lock(lending);
  lent_problem = std::monostate();
}

template LentProblem::LentProblem(const Problem<float>&);
template LentProblem::LentProblem(const Problem<double>&);

template MadeProblem<float> users_problem(std::shared_ptr<const Problem<float>>, int, ClientRange);
template MadeProblem<double> users_problem(std::shared_ptr<const Problem<double>>, int, ClientRange);

}  // namespace doc2s
