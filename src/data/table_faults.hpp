// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "doc2s/base/error.hpp"
#include "doc2s/base/types.hpp"

namespace doc2s {

// Several faults; the only message of more than one line.
class ListedFaults : public Error {
 public:
  using Error::Error;
};

// What is wrong in the files of a table, to be said all at once.
class TableFaults {
 public:
  // A cell without a value, one whose text is no number, anything else in a line, or a whole file.
  enum class Kind { missing, text, other, file };
  struct Fault {
    std::string what, where, hint;
    Kind kind = Kind::other;
    std::string column{};  // as problem.ignore has it; "": none, or the target
  };

  void add(const Fault& fault, const std::string& source);
  void add(const Error& error, Kind kind = Kind::other);
  void refuse_if_any() const;  // one sentence for one fault, else a line each, up to 20

  // What `read` throws for a mistake of the user counts as one more.
  template <class Read>
  void collect(Read read) {
    try {
      read();
    } catch (const MachineError&) {
      throw;
    } catch (const Error& error) {
      add(error, Kind::file);
    }
  }

 private:
  struct Group {  // of one kind in one column of one file
    Fault first;
    Index rows = 1;
  };
  std::string lines() const;
  std::string hint() const;

  Index count_ = 0;
  std::vector<Fault> first_;
  std::vector<Group> groups_;
  std::map<std::string, std::size_t> places_;  // in groups_
};

}  // namespace doc2s
