// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace doc2s {

// All of doc2s's commands, for a program of your own whose problems are registered: run, sweep, tune, report,
// certify, plan, bench … Joins the other processes under mpirun, prints, and returns the exit code.
//   int main(int argc, char** argv) {
//     doc2s::register_problem("mine", make_mine, {});
//     return doc2s::command_line(argc, argv);
//   }
int command_line(int argc, char** argv);

}  // namespace doc2s
