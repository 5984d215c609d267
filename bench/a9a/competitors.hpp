#pragma once
#include <memory>

#include "job.hpp"
#include "whole_run.hpp"

namespace doc2s::bench {

class Scratch;

// This library: draws its own random numbers, hashes every estimate.
class OurRun {
 public:
  OurRun(const std::string& data, const std::string& method, Tick K, Tick T);

  Job job();  // runs once, looking on
  Timed run() { return timed_run(experiment_); }
  std::vector<double> iterate() const { return iterate_of(experiment_); }

 private:
  void look_on(Job& job);

  Processes alone_;
  Experiment<double> experiment_;
  const Tick T_;
};

// A straightforward version: n × d matrices and the dense n × n product. Its draws are given. Returns the
// iterate at the end, n × d.
std::vector<double> eigen_doc2s(const Job& job);

// The plain NumPy loop (numpy_loop.py) in a Python of its own, its draws given. The job's files must be in
// the folder.
class NumpyRun {
 public:
  explicit NumpyRun(const Job& job);
  ~NumpyRun();
  double error() const { return error_; }  // of its iterate at the end
  double run();                            // seconds of all iterations

 private:
  double answer();  // the number that the child says next

  std::string method_;
  std::unique_ptr<Scratch> folder_;
  std::unique_ptr<class Child> child_;
  double error_ = 0;
};

}  // namespace doc2s::bench
