// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>

#include "base/json.hpp"
#include "bench.hpp"
#include "child.hpp"
#include "competitors.hpp"
#include "python_text.hpp"
#include "scratch.hpp"

namespace doc2s::bench {

namespace {

template <class Number>
void put(const Scratch& folder, const char* name, const std::vector<Number>& numbers) {
  folder.write_numbers<Number>(name, numbers);
}

void write_job(const Scratch& folder, const Job& job) {
  JsonObject head;
  head.add("method", job.method).add("n", job.n).add("d", job.d).add("iterations", job.iterations);
  head.add("T", job.T).add("R", job.R).add("phi", job.phi).add("eta", job.eta).add("D", job.D);
  head.add("mu", job.mu).add("lam", job.lambda).add("alpha", job.alpha);
  folder.write("job.json", head.line());
  put(folder, "start", job.samples.offsets);
  put(folder, "index", std::vector<Index>(job.samples.columns.begin(), job.samples.columns.end()));
  put(folder, "feature", job.samples.values);
  put(folder, "label", job.samples.labels);
  put(folder, "P", job.P);
  put(folder, "client", job.client);
  put(folder, "row", job.row);
  put(folder, "z", job.z);
  put(folder, "s", job.s);
  put(folder, "y", job.y);
  folder.write("numpy_loop.py", numpy_loop_text);
  folder.write("replay_draws.py", replay_draws_text);
}

}  // namespace

NumpyRun::NumpyRun(const Job& job) : method_(job.method), folder_(std::make_unique<Scratch>()) {
  write_job(*folder_, job);
  child_ = std::make_unique<Child>(
      std::vector<std::string>{python_with_numpy(), "-B", folder_->path("replay_draws.py"), folder_->path()});
  error_ = answer();
}

NumpyRun::~NumpyRun() = default;

double NumpyRun::run() {
  child_->write_line("go");
  return answer();
}

double NumpyRun::answer() {
  const std::string line = child_->read_line();
  char* end = nullptr;
  const double number = std::strtod(line.c_str(), &end);
  if (end == line.c_str())
    throw WrongAnswer(fmt::format("NumPy's {} ended with exit code {}", method_, child_->end()), "bench a9a",
                      "try the Python script bench/a9a/replay_draws.py by hand");
  return number;
}

}  // namespace doc2s::bench
