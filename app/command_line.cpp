// SPDX-License-Identifier: Apache-2.0
#include "doc2s/app/command_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <new>
#include <string_view>

#include "aside.hpp"
#include "base/kernels.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "data/table_faults.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/version.hpp"
#include "run/known_options.hpp"
#include "transport/join.hpp"

namespace doc2s::app {

namespace {

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

// A user's own program is called by its own name.
std::string program_name(int argc, char** argv) {
  return argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "doc2s";
}

int main_with_errors(int argc, char** argv, Processes& processes) {
  require_kernels_asked_for();
  const std::string name = program_name(argc, argv);
  CLI::App program("doc2s: minimise a nonsmooth nonconvex function together, without a server", name);
  program.set_version_flag("--version", std::string("doc2s ") + version());
  program.require_subcommand(1);
  program.footer("Example:\n  doc2s demo\n  doc2s run configs/a9a-ring.toml\nEvery command has --help.");
  Action action;
  add_run(program, action, processes);
  add_sweep(program, action);
  add_tune(program, action);
  add_demo(program, action);
  add_network(program, action);
  add_plan(program, action);
  add_guarantee(program, action);
  add_certify(program, action);
  add_predict(program, action);
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
    return processes.is_first() ? program.exit(help) : 0;
  } catch (const CLI::ParseError& error) {
    const CLI::App* command = &program;
    std::string words = name;
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

// A message in one line, whatever a file or an argument put into it; a list of faults in one each.
std::string plain(const std::string& text, bool listed = false) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (listed && c == '\n')
      out += c;
    else
      out += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return out;
}

int say(const std::string& message, int code, bool listed = false) {
  doc2s::app::aside("doc2s: {}\n", plain(message, listed));
  return code;
}

// Tells what went wrong and ends all processes.
int give_up(doc2s::Processes& processes, const std::string& message, int code, bool listed = false) {
  const std::string who = processes.is_first() ? "" : fmt::format("rank {}: ", processes.rank());
  if (processes.may_tell()) say(who + message, code, listed);
  processes.abandon(code);
  return code;
}

// A pipe's reader went away, e.g. head, or it was closed from the start (hold_standard_streams).
bool is_closed(int stream) {
  pollfd pipe{stream, 0, 0};
  const bool unread = poll(&pipe, 1, 0) == 1 && (pipe.revents & (POLLERR | POLLHUP)) != 0;
  return unread || (fcntl(stream, F_GETFL) & O_ACCMODE) == O_RDONLY;
}

// What they print is a part of what they leave.
bool leaves_files(std::string_view command) {
  constexpr std::array<std::string_view, 6> all = {"run", "guarantee", "sweep", "tune", "demo", "reproduce"};
  return std::ranges::find(all, command) != all.end();
}

int run_program(int argc, char** argv, doc2s::Processes& processes) {
  try {
    const int code = doc2s::app::main_with_errors(argc, argv, processes);
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
    if (argc > 1 && leaves_files(argv[1]) && is_closed(STDOUT_FILENO))
      return say("stdout was closed before everything was printed; the run is complete, and so are its files",
                 code);
    return say("the output cannot be written", 1);
  } catch (const doc2s::ListedFaults& error) {
    return give_up(processes, error.what(), error.exit_code(), true);
  } catch (const doc2s::Error& error) {
    return give_up(processes, error.what(), error.exit_code());
  } catch (const doc2s::Interrupted& stop) {
    return give_up(processes, stop.what(), doc2s::Interrupted::exit_code);
  } catch (const std::bad_alloc&) {
    return give_up(processes,
                   "there is not enough memory; take fewer clients, a smaller dimension or a smaller batch",
                   1);
  } catch (const std::filesystem::filesystem_error& error) {
    return give_up(processes, error.path1().string() + ": " + error.code().message(), 1);
  } catch (const std::exception& error) {
    return give_up(processes, error.what(), 1);
  }
}

}  // namespace

namespace {

// Where one of stdin, stdout, stderr is closed, a run's file would get its number, and what is printed with
// it. A closed stdout stays one that cannot be written.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int doc2s::command_line(int argc, char** argv) {
  hold_standard_streams();
  try {
    return run_program(argc, argv, joined_processes());
  } catch (const Error& error) {
    return launched_as_first() ? say(error.what(), error.exit_code()) : error.exit_code();
  }
}
