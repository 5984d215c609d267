#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <set>

#include "aside.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/text.hpp"
#include "doc2s/base/version.hpp"
#include "doc2s/run/known_options.hpp"
#include "doc2s/transport/join.hpp"

namespace doc2s::app {

namespace {

using Action = std::function<int()>;

void add_run(CLI::App& program, Action& action, Processes& processes) {
  auto words = std::make_shared<RunWords>();
  CLI::App* command = program.add_subcommand("run", "run the experiment that a config file describes");
  command->footer(
      "Example:\n  doc2s run configs/a9a-ring.toml --set method.R=8 --out runs/first\n"
      "  doc2s run --resume runs/first");
  command->add_option("config", words->config, "the experiment, a TOML file; with --resume the run's own")
      ->type_name("CONFIG.toml");
  command
      ->add_option("--resume", words->resume,
                   "go on with the run in this directory, from its last checkpoint to the same bits")
      ->type_name("RUN_DIR");
  command
      ->add_option("--checkpoint-every", words->checkpoint_every,
                   "time (60s, 5min, 2h) or iterations from one checkpoint to the next; 60s unless given")
      ->type_name("TIME|N");
  command->add_option("--set", words->changes, "use this value instead of the file's; may be given again")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--out", words->out, "directory to write into; a new one under runs/ unless given")
      ->type_name("DIR");
  command
      ->add_option("--trace", words->trace,
                   "write what chance decided in each iteration; twice: also where it is large")
      ->type_name("FILE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--force", words->force, "replace the run that the directory already holds");
  command->add_flag("--quiet", words->quiet, "no progress and no notes on stderr");
  command->callback(
      [=, &action, &processes] { action = [=, &processes] { return run_command(*words, processes); }; });
}

void add_sweep(CLI::App& program, Action& action) {
  auto words = std::make_shared<SweepWords>();
  CLI::App* command =
      program.add_subcommand("sweep", "run all combinations of values and rank them; goes on where it was");
  command->footer(
      "Example:\n  doc2s sweep configs/a9a-ring.toml --over method.eta=0.001,0.005,0.01 --over "
      "method.D=0.05,0.01 --jobs 2");
  command->add_option("config", words->config, "the experiment, a TOML file")
      ->required()
      ->type_name("CONFIG.toml");
  command->add_option("--over", words->over, "a key and the values it takes; may be given again")
      ->required()
      ->type_name("KEY=V1,V2…")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--set", words->changes, "use this value instead of the file's; may be given again")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--out", words->out, "directory to write into; runs/CONFIG-sweep unless given")
      ->type_name("DIR");
  command->add_option("--by", words->by, "the measure that decides; loss_mean_point unless given")
      ->type_name("MEASURE");
  command
      ->add_option("--at", words->at,
                   "compare at this much of a count, e.g. samples=4000; at the end unless given")
      ->type_name("COUNT=NUMBER");
  command->add_option("--jobs", words->jobs, "runs at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--quiet", words->quiet, "no progress on stderr");
  command->callback([=, &action] { action = [=] { return sweep_command(*words); }; });
}

void add_demo(CLI::App& program, Action& action) {
  auto out = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("demo", "run DOC2S on a small embedded example");
  command->footer("Example:\n  doc2s demo");
  command->add_option("--out", *out, "directory to write into; a new one under runs/ unless given")
      ->type_name("DIR");
  command->callback([=, &action] { action = [=] { return demo_command(*out); }; });
}

// Every option of a section becomes one of the command's: --neighbours for network.neighbours.
void add_section_options(CLI::App* command, const std::string& section, Changes& changes) {
  std::set<std::string> seen;
  for (const auto& known : known_options()) {
    const std::string name = known.option.name, flag = "--" + name;
    if (known.section != section || !seen.insert(name).second) continue;
    const auto take = [&changes, key = known.key(), flag](const std::string& value) {
      changes.push_back({key, value, flag + " " + value});
    };
    if (known.option.type == Option::Type::flag)
      command->add_flag_callback(
          flag, [take] { take("true"); }, known.option.help);
    else
      command
          ->add_option_function<std::string>(flag, take,
                                             known.option.help + " (" + known.option.range() + ")")
          ->type_name("");
  }
}

// A flag that stands for one key of a config.
CLI::Option* add_change(CLI::App* command, Changes& changes, const std::string& flag, const std::string& key,
                        const std::string& help, const std::string& type) {
  const auto take = [&changes, key, flag](const std::string& value) {
    const bool bare = value.starts_with('.');  // .5, which TOML does not know
    changes.push_back({key, bare ? "0" + value : value, flag + " " + value});
  };
  return command->add_option_function<std::string>(flag, take, help)->type_name(type);
}

void add_network_options(CLI::App* command, Changes& changes) {
  add_change(command, changes, "--clients", "clients.count", "how many clients", "N");
  add_section_options(command, "network", changes);
  add_change(command, changes, "--seed", "seed", "decides a random graph", "SEED");
}

void add_network(CLI::App& program, Action& action) {
  auto words = std::make_shared<NetworkWords>();
  CLI::App* command =
      program.add_subcommand("network", "show a network's spectral gap, contraction and reach");
  command->footer("Example:\n  doc2s network --graph ring --clients 16 --neighbours 3 --rounds 2");
  add_network_options(command, words->changes);
  command->add_option("--rounds", words->rounds, "rounds of gossip, R")
      ->type_name("R")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--gossip", words->gossip, "chebyshev or plain")
      ->check(CLI::IsMember({"chebyshev", "plain"}));
  command->add_flag("--json", words->json, "one JSON object instead of a table");
  command->callback([=, &action] { action = [=] { return network_command(*words); }; });
}

void add_plan_inputs(CLI::App* command, Changes& changes) {
  const auto add = [&](const char* flag, const char* key, const char* help) {
    add_change(command, changes, flag, key, help, "NUMBER");
  };
  add("--delta", "method.delta", "radius of the stationarity to aim at");
  add("--epsilon", "method.epsilon", "size of the subgradient to aim at");
  add("--lipschitz", "method.lipschitz", "L: Lipschitz constant of a client's loss");
  add("--gradient-bound", "method.gradient_bound", "G: bound of a stochastic gradient, for order first");
  add("--gap", "method.gap", "bound of f(x0) - inf f");
  add("--dimension", "problem.dimension", "d: how many numbers a client holds");
  add("--c0", "method.c0", "constant of the smoothing; 1 unless given");
  add("--batch", "problem.batch", "samples an estimate; 1 unless given");
  add_change(command, changes, "--order", "method.order", "first or zeroth", "ORDER");
  add_change(command, changes, "--gossip", "method.gossip", "chebyshev or plain", "GOSSIP");
  add_change(command, changes, "--rounds-rule", "method.rounds_rule",
             "which R the written config has: theorem or exact", "RULE");
}

void add_plan(CLI::App& program, Action& action) {
  auto words = std::make_shared<PlanWords>();
  CLI::App* command =
      program.add_subcommand("plan", "parameters and costs from the theorems, before you pay for a run");
  command->footer(
      "Example:\n  doc2s plan --delta 0.5 --epsilon 0.5 --lipschitz 1 --gradient-bound 1 --gap 1 --dimension "
      "10 "
      "--graph ring --clients 16\n  doc2s plan --from configs/a9a-ring.toml --delta 0.5 --epsilon 0.5");
  add_plan_inputs(command, words->changes);
  add_network_options(command, words->changes);
  command->add_option("--from", words->from, "ask this config's problem for L, G, the gap and d")
      ->type_name("CONFIG.toml");
  command->add_option("--set", words->sets, "use this value instead of the file's; may be given again")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--config", words->config, "also write the plan as a config, ready to run")
      ->type_name("OUT.toml");
  command->add_flag("--force", words->force, "replace the file that --config names");
  command->add_flag("--json", words->json, "one JSON object instead of tables");
  command->callback([=, &action] { action = [=] { return plan_command(*words); }; });
}

void add_certify(CLI::App& program, Action& action) {
  auto words = std::make_shared<CertifyWords>();
  CLI::App* command = program.add_subcommand(
      "certify", "bound how far points are from (delta, epsilon)-Goldstein stationary, with a proof");
  command->footer(
      "Example:\n  doc2s certify runs/first --delta 0.1 --epsilon 0.05 --save first.certificate\n"
      "  doc2s certify --check first.certificate");
  CLI::Option* check =
      command->add_option("--check", words->check, "verify the certificates in this file from scratch")
          ->type_name("FILE");
  const auto search = [=](CLI::Option* option) { return check->excludes(option), option; };
  search(command->add_option("target", words->target,
                             "the directory of a run, or points in a file with --config"))
      ->type_name("RUN_DIR|POINT.npy");
  search(command->add_option("--delta", words->delta, "radius of the ball around a point; 0.1 unless given"))
      ->type_name("NUMBER");
  command->add_option("--epsilon", words->epsilon, "stop at this bound and say whether it was reached")
      ->type_name("NUMBER");
  search(command->add_option("--which", words->which, "a run's output (a row a client) or last (one point)"))
      ->check(CLI::IsMember({"output", "last"}));
  search(command->add_option("--client", words->client, "all, or one client's number, from 0"))
      ->type_name("all|i");
  command->add_option("--config", words->config, "the problem that POINT.npy, or --check, is about")
      ->type_name("CONFIG.toml");
  search(command->add_option("--budget", words->budget, "gradients a point; 60 unless given"))
      ->type_name("N")
      ->check(CLI::Range(Index{1}, Index{1000000}));
  search(
      command->add_option("--sampled", words->sampled,
                          "gradients over N samples of each client: faster, an estimate instead of a bound"))
      ->type_name("N")
      ->check(CLI::Range(Index{1}, Index{1} << 40));
  search(command->add_option("--save", words->save, "keep the certificates, for --check"))->type_name("FILE");
  search(command->add_flag("--force", words->force, "replace the file that --save names"));
  command->add_flag("--json", words->json, "a list of JSON objects instead of a table");
  command->add_flag("--quiet", words->quiet, "no progress and no notes on stderr");
  command->callback([=, &action] { action = [=] { return certify_command(*words); }; });
}

void add_list(CLI::App& program, Action& action) {
  auto topic = std::make_shared<std::string>();
  auto json = std::make_shared<bool>();
  CLI::App* command = program.add_subcommand("list", "list what can be named in a config");
  command->footer("Example:\n  doc2s list graphs\n  doc2s list methods --json");
  command->add_option("topic", *topic, joined(list_topics(), ", "))->required();
  command->add_flag("--json", *json, "one JSON array, with type, range and help of every option");
  command->callback([=, &action] { action = [=] { return list_command(*topic, *json); }; });
}

void add_explain(CLI::App& program, Action& action) {
  auto key = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("explain", "explain a key of the config, or all of them");
  command->footer("Example:\n  doc2s explain method.eta");
  command->add_option("key", *key, "e.g. method.eta, or eta");
  command->callback([=, &action] { action = [=] { return explain_command(*key); }; });
}

void add_data(CLI::App& program, Action& action) {
  auto name = std::make_shared<std::string>(), to = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("data", "see, fetch and check the data sets");
  command->footer("Example:\n  doc2s data list\n  doc2s data get mnist\n  doc2s data check mnist");
  command->require_subcommand(1);
  const auto add = [&](const std::string& verb, const std::string& help, Action carry_out) {
    CLI::App* part = command->add_subcommand(verb, help);
    part->footer("Example:\n  doc2s data " + verb + (verb == "list" ? "" : " mnist"));
    if (verb != "list") part->add_option("name", *name, "the data set; see doc2s data list")->required();
    if (verb == "get")
      part->add_option("--to", *to, "the folder that gets NAME/; the first of $DOC2S_DATA unless given")
          ->type_name("DIR");
    part->callback([=, &action] { action = carry_out; });
  };
  add("list", "what is here, where, and under which terms", [] { return data_list_command(); });
  add("get", "fetch a data set by what this machine reaches", [=] { return data_get_command(*name, *to); });
  add("check", "compare the files with their published SHA-256", [=] { return data_check_command(*name); });
}

void add_report(CLI::App& program, Action& action) {
  auto words = std::make_shared<ReportWords>();
  CLI::App* command = program.add_subcommand("report", "make a page, figures or a table of finished runs");
  command->footer("Example:\n  doc2s report runs/first runs/second -o report.html --csv records.csv");
  command->add_option("directories", words->directories, "directories of runs, or folders that hold some")
      ->required()
      ->type_name("DIR");
  command->add_option("-o,--out", words->out, "the page to write; report.html unless given")
      ->type_name("FILE");
  command->add_option("--title", words->title, "the page's heading")->type_name("TEXT");
  command->add_option("--svg", words->svg, "also figures for papers, made by gnuplot")->type_name("DIR");
  command->add_option("--pdf", words->pdf, "the same as PDF")->type_name("DIR");
  command->add_option("--csv", words->csv, "also all records in one table")->type_name("FILE");
  command->callback([=, &action] { action = [=] { return report_command(*words); }; });
}

void add_reproduce(CLI::App& program, Action& action) {
  auto words = std::make_shared<ReproduceWords>();
  CLI::App* command = program.add_subcommand(
      "reproduce", "make the paper's figures: tune, run, report; goes on where it was");
  command->footer(
      "Example:\n  doc2s reproduce first-samples-a9a\n  doc2s reproduce ablation-gap-mnist --jobs 2\n  doc2s "
      "reproduce all --scale quick");
  command->add_option("figure", words->figure, "a figure, the beginning of some, or all")
      ->type_name("FIGURE");
  command->add_flag("--list", words->list, "show the figures");
  command
      ->add_option("--scale", words->scale,
                   "quick (minutes), full (the paper's size) or smoke (made-up data)")
      ->type_name("SCALE");
  command->add_option("--jobs", words->jobs, "runs at the same time; as many as there are cores unless given")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_option("--out", words->out, "directory to write into; runs/reproduce-SCALE unless given")
      ->type_name("DIR");
  command->add_flag("--quiet", words->quiet, "no progress on stderr");
  command->callback([=, &action] { action = [=] { return reproduce_command(*words); }; });
}

void add_bench(CLI::App& program, Action& action) {
  auto words = std::make_shared<BenchWords>();
  CLI::App* command =
      program.add_subcommand("bench", "measure this machine: times, and ratios to what is wanted");
  command->footer("Example:\n  doc2s bench\n  doc2s bench gossip a9a --json bench.json");
  command->add_option("tasks", words->tasks, "what to measure; all of --list unless given")
      ->type_name("TASK");
  command->add_flag("--list", words->list, "say what can be measured, and measure nothing");
  command->add_flag("--quick", words->quick, "small sizes: checks every answer, but the times say little");
  command->add_option("--json", words->json, "also write the times and ratios there")->type_name("FILE");
  command->callback([=, &action] { action = [=] { return bench_command(*words); }; });
}

void refuse_unknown_command(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (!word.empty() && word[0] != '-' && std::find(names.begin(), names.end(), word) == names.end())
    throw Error(fmt::format("there is no command \"{}\"", word), "", suggestion(word, names));
}

// The first --word that the command, or the program itself, does not have.
void refuse_unknown_option(const CLI::App& command, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  for (int k = 1; k < argc; ++k) {
    const std::string word = std::string(argv[k]).substr(0, std::string(argv[k]).find('='));
    if (word.starts_with("--") && std::find(names.begin(), names.end(), word) == names.end())
      throw Error(command.get_name() + " has no option " + word, "", suggestion(word, names));
  }
}

// Several processes share one run; the other commands are for one.
void refuse_for_several(const CLI::App& program, const Processes& processes) {
  const auto commands = program.get_subcommands();
  if (processes.count() == 1 || commands.empty() || commands.front()->get_name() == "run") return;
  throw Error(fmt::format("{} is for one process, and {} were started together", commands.front()->get_name(),
                          processes.count()),
              "mpirun", "only run works with several");
}

int main_with_errors(int argc, char** argv, Processes& processes) {
  CLI::App program("doc2s: minimise a nonsmooth nonconvex function together, without a server", "doc2s");
  program.set_version_flag("--version", std::string("doc2s ") + version());
  program.require_subcommand(1);
  program.footer("Example:\n  doc2s demo\n  doc2s run configs/a9a-ring.toml\nEvery command has --help.");
  Action action;
  add_run(program, action, processes);
  add_sweep(program, action);
  add_demo(program, action);
  add_network(program, action);
  add_plan(program, action);
  add_certify(program, action);
  add_list(program, action);
  add_explain(program, action);
  add_data(program, action);
  add_report(program, action);
  add_reproduce(program, action);
  add_bench(program, action);
  if (argc > 1) refuse_unknown_command(program, argv[1]);
  if (argc > 2 && argv[1] == std::string("data"))
    refuse_unknown_command(*program.get_subcommand("data"), argv[2]);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return program.exit(help);
  } catch (const CLI::ParseError& error) {
    const CLI::App* command = &program;
    std::string words = "doc2s";
    while (!command->get_subcommands().empty()) {  // e.g. data, then get
      command = command->get_subcommands().front();
      words += " " + command->get_name();
    }
    refuse_unknown_option(*command, argc, argv);
    throw Error(error.what(), "", "see " + words + " --help");
  }
  refuse_for_several(program, processes);
  return action();
}

}  // namespace

}  // namespace doc2s::app

namespace {

// A message in one line, whatever a file or an argument put into it.
std::string one_line(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return out;
}

int say(const std::string& message, int code) {
  doc2s::app::aside("doc2s: {}\n", one_line(message));
  return code;
}

// Tells what went wrong and ends all processes.
int give_up(doc2s::Processes& processes, const std::string& message, int code) {
  const std::string who = processes.is_first() ? "" : fmt::format("rank {}: ", processes.rank());
  if (processes.may_tell()) say(who + message, code);
  processes.abandon(code);
  return code;
}

int run_program(int argc, char** argv, doc2s::Processes& processes) {
  try {
    const int code = doc2s::app::main_with_errors(argc, argv, processes);
    if (std::fflush(stdout) == 0) return code;
    return say("the output cannot be written", 1);
  } catch (const doc2s::Error& error) {
    return give_up(processes, error.what(), error.exit_code());
  } catch (const std::bad_alloc&) {
    return give_up(processes,
                   "there is not enough memory; take fewer clients, a smaller dimension or a smaller batch",
                   1);
  } catch (const std::exception& error) {
    return give_up(processes, error.what(), 1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto processes = doc2s::join_processes();
    return run_program(argc, argv, *processes);
  } catch (const doc2s::Error& error) {
    return doc2s::launched_as_first() ? say(error.what(), error.exit_code()) : error.exit_code();
  }
}
