#pragma once
#include <optional>
#include <string>
#include <vector>

#include "doc2s/base/processes.hpp"
#include "doc2s/base/types.hpp"
#include "doc2s/run/certify.hpp"
#include "doc2s/run/config.hpp"

// One function a command; each returns the exit code. Mistakes are thrown as doc2s::Error.
namespace doc2s::app {

struct RunWords {
  std::string config;
  std::vector<std::string> changes;   // "key=value"
  std::string out;                    // "" picks an unused folder under runs/
  std::vector<std::string> trace;     // given twice: also where it is large
  std::optional<std::string> resume;  // the directory of a run to go on with
  std::string checkpoint_every;       // as the key run.checkpoint_every has it; "" leaves it
  bool force = false;
  bool quiet = false;
};
int run_command(const RunWords& words, Processes& processes);

struct SweepWords {
  std::string config;
  std::vector<std::string> changes;  // "key=value"
  std::vector<std::string> over;     // "key=value,value…"
  std::string out;
  std::string by = "loss_mean_point";
  std::string at;  // "samples=4000"; "" at the end
  int jobs = 1;
  bool quiet = false;
};
int sweep_command(const SweepWords& words);

int demo_command(const std::string& out);  // "" picks an unused folder under runs/

struct NetworkWords {
  Changes changes;
  int rounds = 2;
  std::string gossip = "chebyshev";
  bool json = false;
};
int network_command(const NetworkWords& words);

struct PlanWords {
  Changes changes;                // --delta, --graph …
  std::string from;               // a config whose problem is asked; "" where the numbers are given
  std::vector<std::string> sets;  // "key=value"
  std::string config;             // where to write the plan as a config; "" writes none
  bool force = false;
  bool json = false;
};
int plan_command(const PlanWords& words);
struct CertifyWords {
  std::string target;  // a run's directory or a .npy file
  std::string config, which = "output", client = "all";
  double delta = certify_defaults.delta;
  std::optional<double> epsilon;
  Index budget = certify_defaults.budget, sampled = 0;
  std::string save, check;  // files; "" for none
  bool json = false, force = false, quiet = false;
};
int certify_command(const CertifyWords& words);

std::vector<std::string> list_topics();
int list_command(const std::string& topic, bool json);

struct ReportWords {
  std::vector<std::string> directories;  // of runs, or folders that hold some
  std::string out = "report.html";
  std::string title = "doc2s report";
  std::string svg, pdf, csv;  // "" writes none
};
int report_command(const ReportWords& words);

struct ReproduceWords {
  std::string figure;  // or the beginning of some, or "all"
  std::string scale = "quick";
  std::string out;  // "" is runs/reproduce-SCALE
  int jobs = 0;     // 0: as many as there are cores
  bool list = false, quiet = false;
};
int reproduce_command(const ReproduceWords& words);

struct BenchWords {
  std::vector<std::string> tasks;  // none: all
  std::string json;                // a file; "" for none
  bool list = false, quick = false;
};
int bench_command(const BenchWords& words);

int explain_command(const std::string& key);  // "" explains all

int data_list_command();
int data_check_command(const std::string& name);
int data_get_command(const std::string& name, const std::string& to);  // "" picks where

}  // namespace doc2s::app
