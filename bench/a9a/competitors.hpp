// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "job.hpp"
#include "whole_run.hpp"

namespace doc2s::bench {

class Scratch;

// This library. It draws its own random numbers and hashes every estimate.
class OurRun {
 public:
  OurRun(const std::string& data, const std::string& method, Tick K, Tick T);

  Job job();  // runs once and records all draws
  Timed run() { return timed_run(experiment_); }
  std::vector<double> iterate() const { return iterate_of(experiment_); }

 private:
  void look_on(Job& job);

  Processes alone_;
  Experiment<double> experiment_;
  const Tick T_;
};

// A straightforward version: n × d matrices and the dense n × n product. Draws come from the job. Returns the
// last iterate, n × d.
std::vector<double> eigen_doc2s(const Job& job);

// The plain NumPy loop (numpy_loop.py) in its own Python process. Draws come from the job, whose files must
// be in the folder.
class NumpyRun {
 public:
  explicit NumpyRun(const Job& job);
  ~NumpyRun();
  double error() const { return error_; }  // of its last iterate
  double run();                            // seconds for all iterations

 private:
  double answer();  // the next number the child prints

  std::string method_;
  std::unique_ptr<Scratch> folder_;
  std::unique_ptr<class Child> child_;
  double error_ = 0;
};

}  // namespace doc2s::bench
