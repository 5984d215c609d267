// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "aside.hpp"
#include "base/file_writer.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "flags.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "run/predict.hpp"
#include "run/run_directory.hpp"

namespace doc2s::app {

namespace {

struct PredictArgs {
  PredictRequest request;
  std::string out = "predictions.csv";
  bool json = false, force = false, quiet = false;
};

void check_out(const PredictArgs& args) {
  const std::string where = "-o " + args.out;
  std::error_code unknown;
  if (is_run_file(args.request.run, args.out))
    throw Error("is a file of the run itself", where, "give another file");
  if (!args.force && std::filesystem::exists(args.out, unknown))
    throw Error("already exists", where, "give another file, or --force to replace it");
}

std::string csv_text(const Predictions& made) {
  const bool known = !made.truth.empty(), scored = !made.scores.empty();
  std::string text = fmt::format("row,prediction{}{}\n", scored ? ",score" : "", known ? ",truth" : "");
  for (std::size_t row = 0; row < made.predicted.size(); ++row) {
    const auto place = made.places.empty() ? static_cast<Index>(row) : made.places[row];
    text += fmt::format("{},{}", place + 1, csv_field(made.name(made.predicted[row])));
    if (scored) text += fmt::format(",{}", made.scores[row]);
    if (known) text += "," + csv_field(made.name(made.truth[row]));
    text += '\n';
  }
  return text;
}

void print_json(const PredictArgs& args, const Predictions& made) {
  JsonObject object;
  object.add("file", args.out).add("client", args.request.client).add("rows", std::ssize(made.predicted));
  if (!made.truth.empty() && made.classes.empty()) object.add("rmse", made.rmse()).add("mae", made.mae());
  if (!made.truth.empty() && !made.classes.empty()) object.add("accuracy", made.accuracy());
  fmt::print("{}\n", object.line());
}

void print_words(const PredictArgs& args, const Predictions& made) {
  fmt::print("{}  {} rows", args.out, with_commas(std::ssize(made.predicted)));
  if (made.truth.empty())
    fmt::print("\n");
  else if (made.classes.empty())
    fmt::print(", root mean squared error {:.6g}, mean absolute error {:.6g}\n", made.rmse(), made.mae());
  else
    fmt::print(", accuracy {:.2f} %\n", 100 * made.accuracy());
}

int predict_command(const PredictArgs& args) {
  check_out(args);
  const Predictions made = shown_work("predicting", args.quiet, [&] {
    Predictions all = predict(args.request);
    write_whole_file(args.out, csv_text(all));
    return all;
  });
  if (!args.quiet)
    for (const std::string& notice : made.notices) aside("doc2s: note: {}\n", notice);
  args.json ? print_json(args, made) : print_words(args, made);
  return 0;
}

}  // namespace

void add_predict(CLI::App& program, Action& action) {
  auto args = std::make_shared<PredictArgs>();
  CLI::App* command =
      program.add_subcommand("predict", "apply a run's model to new data, scaled as the training data was");
  command->footer("Example:\n  doc2s predict runs/first new.csv -o predictions.csv");
  command->add_option("run", args->request.run, "the directory of a finished run")
      ->required()
      ->type_name("RUN_DIR");
  command->add_option("data", args->request.data, "a file as problem.data is, with or without its targets")
      ->required()
      ->type_name("DATA");
  command->add_option("-o,--out", args->out, "the table to write; default: predictions.csv")
      ->type_name("FILE.csv");
  command
      ->add_option("--client", args->request.client,
                   "last, the mean of all clients, or the output of one, by its number from 0; default: last")
      ->type_name("last|i");
  command->add_flag("--json", args->json, "the closing line as a JSON object");
  command->add_flag("--force", args->force, "replace the file that -o names");
  add_quiet(command, args->quiet);
  command->callback([=, &action] { action = [=] { return predict_command(*args); }; });
}

}  // namespace doc2s::app
