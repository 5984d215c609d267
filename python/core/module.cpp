// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "calls_bench.hpp"
#include "certificates.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/version.hpp"
#include "doc2s/transport/transport.hpp"
#include "guarantees.hpp"
#include "questions.hpp"
#include "results.hpp"
#include "runs.hpp"
#include "transport/join.hpp"

namespace py = pybind11;

namespace {

PyObject *error_type, *machine_error_type, *diverged_type;

PyObject* new_exception(py::module_& module, const char* name, const char* help, PyObject* base) {
  PyObject* const type =
      PyErr_NewExceptionWithDoc((std::string("doc2s.") + name).c_str(), help, base, nullptr);
  module.add_object(name, type);
  return type;
}

void add_exceptions(py::module_& module) {
  error_type = new_exception(module, "Error", "What is wrong, where, and how to mend it.", PyExc_ValueError);
  machine_error_type = new_exception(module, "MachineError",
                                     "The machine's fault: a full disk, too little memory.", error_type);
  diverged_type = new_exception(module, "Diverged", "A number is no longer finite.", error_type);
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const doc2s::Interrupted& one) {
      PyErr_SetString(PyExc_KeyboardInterrupt, one.what());
    } catch (const doc2s::Diverged& one) {
      PyErr_SetString(diverged_type, one.what());
    } catch (const doc2s::MachineError& one) {
      PyErr_SetString(machine_error_type, one.what());
    } catch (const doc2s::Error& one) {
      PyErr_SetString(error_type, one.what());
    }
  });
}

// Before mpi4py's own end, which would wait for processes that wait for this one.
void leave_at_exit() {
  py::module_::import("atexit").attr("register")(py::cpp_function(doc2s::leave_processes));
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The engine of doc2s; use the functions of doc2s itself.";
  module.attr("__version__") = doc2s::version();
  add_exceptions(module);
  module.def("first_client_here", [](int clients) {
    doc2s::Processes& processes = doc2s::joined_processes();
    return doc2s::block_of(processes.rank(), processes, clients).first;
  });
  module.def("quantities", doc2s::python::quantity_list);
  module.def("minimize", doc2s::python::minimize);
  module.def("run", doc2s::python::run);
  module.def("guarantee", doc2s::python::guarantee);
  py::class_<doc2s::python::CertifyHow>(module, "CertifyHow")
      .def(py::init<double, std::optional<double>, std::int64_t, std::int64_t>());
  module.def("certify_files", doc2s::python::certify_files);
  module.def("certify_points", doc2s::python::certify_points);
  module.def("seconds_of_calls", doc2s::python::seconds_of_calls);
  doc2s::python::add_questions(module);
  leave_at_exit();
}
