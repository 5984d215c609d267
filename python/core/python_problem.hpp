// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include <vector>

#include "doc2s/problems/problem.hpp"
#include "users_call.hpp"

namespace doc2s::python {

// How a user's function is called (python/doc2s/_problems.py finds out which).
enum class Form {
  function,  // f(i, x)
  value,     // value(i, batch, x)
  filling,   // value(i, batch, x, gradient)
};

// A problem whose functions are Python's. `given` is an object of _problems.py with an attribute for each
// function, None where the user has none. The GIL is held in the user's functions alone.
template <class Real>
class PythonProblem : public Problem<Real> {
 public:
  explicit PythonProblem(py::object given);
  ~PythonProblem() override;

  int clients() const override { return clients_; }
  Index dimension() const override { return dimension_; }
  Index samples(int client) const override { return samples_[client]; }
  double value(int client, std::span<const Index> batch, std::span<const Real> x,
               std::span<Real> gradient) const override;
  bool has_gradient() const override { return has_gradient_; }
  double loss(int client, std::span<const Index> batch, std::span<const Real> x) const override;
  void start(std::uint64_t seed, std::span<Real> x0) const override;
  double accuracy(std::span<const Real> x) const override { return measured("accuracy", x); }
  double test_rmse(std::span<const Real> x) const override { return measured("test_rmse", x); }
  std::optional<double> lipschitz(int client) const override { return constant("lipschitz", client); }
  std::optional<double> lower_bound(int client) const override { return constant("lower_bound", client); }
  void state(State& state) const override;

 private:
  double measured(const char* name, std::span<const Real> x) const;
  std::optional<double> constant(const char* name, int client) const;
  py::object function(const char* name) const;  // None where there is none
  py::object result_of(UsersCall& call) const;
  void check_value(double value, int client, std::span<const Real> x) const;

  py::object given_, call_, loss_;
  int clients_;
  Index dimension_;
  std::vector<Index> samples_;
  mutable std::vector<char> has_value_;  // by client: one that was a number
  bool has_gradient_;
  Form form_;
  mutable std::exception_ptr interrupted_;  // KeyboardInterrupt in one call: no other one begins
};

}  // namespace doc2s::python
