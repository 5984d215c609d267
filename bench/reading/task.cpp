// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bench.hpp"
#include "child.hpp"
#include "competitors.hpp"
#include "data.hpp"
#include "data/libsvm.hpp"
#include "scratch.hpp"
#include "turns.hpp"

namespace doc2s::bench {

namespace {

bool same(const Samples& a, const Samples& b) {
  return a.dimension == b.dimension && a.offsets == b.offsets && a.columns == b.columns &&
         a.values == b.values && a.labels == b.labels;
}

bool same(const Table& a, const Table& b) {
  return a.columns == b.columns && a.values == b.values && a.classes == b.classes && a.targets == b.targets &&
         a.rows == b.rows;
}

struct Text {
  std::string kind;
  int digits;  // decimals of a value
  std::string bytes;

  double megabytes() const { return 1e-6 * static_cast<double>(bytes.size()); }
};

void add_speeds(const Text& text, const std::vector<double>& times, Findings& out) {
  const char* names[] = {"doc2s", "bytes only", "strtod"};
  const std::string what =
      fmt::format("{}: {:.1f} MB, values of {} digits", text.kind, text.megabytes(), text.digits);
  for (std::size_t k = 0; k < times.size(); ++k) {
    out.add_time(what + " " + names[k], times[k]);
    out.table.push_back({what, names[k], fmt::format("{:.1f} ms", 1e3 * times[k]),
                         fmt::format("{:.0f} MB/s", text.megabytes() / times[k])});
  }
  out.ratios.push_back({fmt::format("{} with {} digits: MB/s", text.kind, text.digits),
                        text.megabytes() / times[0], Ratio::Wanted::at_least, 200});
}

// Times a reader of ours and one with strtod, once both have read the same.
template <class Read, class ReadByStrtod>
void time_readers(const Scratch& folder, const Setting& setting, const Text& text, Read read,
                  ReadByStrtod by_strtod, Findings& out) {
  folder.write("text.csv", text.bytes);
  const std::string path = folder.path("text.csv");
  if (!same(read(path), by_strtod(path)))
    throw WrongAnswer("strtod read other numbers than doc2s", "bench reading");
  const std::vector<double> times =
      best_of_turns({clocked([&] { read(path); }), clocked([&] { read_bytes_only(path); }),
                     clocked([&] { by_strtod(path); })},
                    setting.patience(3));
  add_speeds(text, times, out);
}

// LIBSVM text of rcv1's size with values of this many digits.
void read_libsvm_text(const Scratch& folder, const Setting& setting, int digits, Findings& out) {
  const Index rows = setting.quick ? 2000 : 20242;
  time_readers(
      folder, setting, {"LIBSVM text", digits, libsvm_text({rows, 73, 47236, digits})},
      [](const std::string& path) { return read_libsvm(path); }, read_by_strtod, out);
}

void read_csv_text(const Scratch& folder, const Setting& setting, int digits, Findings& out) {
  const Index rows = setting.quick ? 4000 : 100'000;
  time_readers(
      folder, setting, {"CSV", digits, csv_text(rows, 50, digits)},
      [](const std::string& path) { return read_table(path, {}); }, read_csv_by_strtod, out);
}

// Wall time of a one-iteration run on a9a from the shell, and of a program that only prints its version.
void start_up(const Scratch& folder, const Setting& setting, Findings& out) {
  std::string note;
  const std::string data = a9a_file(folder, note);
  if (!note.empty()) out.notes.push_back(note);
  folder.write("one.toml", fmt::format("[problem]\ndata = \"{}\"\n[clients]\ncount = 16\n[method]\nname = "
                                       "\"doc2s\"\nK = 1\nT = 1\n",
                                       data));
  const std::string program = "/proc/self/exe";
  const auto start = [&](const std::vector<std::string>& arguments) {
    if (run_quietly(arguments) != 0) throw WrongAnswer("a run of one iteration failed", "bench reading");
  };
  const std::vector<double> times = best_of_turns(
      {clocked([&] {
         start({program, "run", folder.path("one.toml"), "--out", folder.path("run"), "--force", "--quiet"});
       }),
       clocked([&] {
         start({program, "--version"});
       })},
      setting.patience(0, 5));
  out.add_time("run of one iteration on a9a", times[0]);
  out.add_time("--version", times[1]);
  out.table.push_back({"run of one iteration on a9a", "doc2s", fmt::format("{:.1f} ms", 1e3 * times[0]), ""});
  out.table.push_back({"--version", "doc2s", fmt::format("{:.1f} ms", 1e3 * times[1]), ""});
  out.ratios.push_back(
      {"reading a9a, starting, one iteration: seconds", times[0], Ratio::Wanted::at_most, 0.5});
}

Findings run(const Setting& setting) {
  Findings out;
  const Scratch folder;
  out.table.push_back({"reading", "", "time", "speed"});
  for (const int digits : {16, 6}) read_libsvm_text(folder, setting, digits, out);
  for (const int digits : {16, 6}) read_csv_text(folder, setting, digits, out);
  start_up(folder, setting, out);
  return out;
}

}  // namespace

Task reading_task() { return {"reading", "LIBSVM text of rcv1's size, CSV, and starting on a9a", run}; }

}  // namespace doc2s::bench
