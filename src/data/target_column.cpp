// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "table_targets.hpp"

namespace doc2s {

// 0: not a number.
Index column_number(const std::string& label) {
  Index number = 0;
  const char* const end = label.data() + label.size();
  const auto [stop, error] = std::from_chars(label.data(), end, number);
  return stop == end && error == std::errc() ? std::max<Index>(number, 0) : 0;
}

// Comparing spellings takes length × length a name, so neither long names nor more than 10⁴ are compared.
std::string suggested_column(const std::string& label, std::vector<std::string> names) {
  std::erase_if(names, [](const std::string& name) { return name.empty() || name.size() > 64; });
  if (names.size() > 10'000) names.resize(10'000);
  if (nearest(label, names).empty() && names.size() > 8) {
    names.resize(8);
    return "the first are " + joined(names);
  }
  return suggestion(label, names);
}

namespace {

[[noreturn]] void refuse_label(const std::string& label, const std::vector<std::string>& names, Index columns,
                               const std::string& where) {
  if (const Index number = column_number(label))
    throw Error(fmt::format("the target's column is {}, and there are {} columns", number, columns), where,
                "problem.label is a column's number from 1, or its name");
  if (names.empty())
    throw Error(
        fmt::format("the target's column {} is given by name, and there is no header", printable(label)),
        where, "give its number, counted from 1, or set problem.header = \"yes\"");
  throw Error(fmt::format("no column is named {}", printable(label)), where, suggested_column(label, names));
}

// −1: none.
Index named_column(const std::string& label, const std::vector<std::string>& names,
                   const std::string& where) {
  if (label.empty()) return -1;
  const auto first = std::find(names.begin(), names.end(), label);
  if (first == names.end()) return -1;
  const auto second = std::find(first + 1, names.end(), label);
  const Index column = first - names.begin();
  if (second != names.end())
    throw Error(fmt::format("columns {} and {} are both named {}, the target's name", column + 1,
                            second - names.begin() + 1, printable(label)),
                where, "rename one, or give the target's number as problem.label");
  return column;
}

}  // namespace

Index target_column(const TableRequest& request, const std::vector<std::string>& names,
                    const std::vector<bool>& skipped, const std::string& where) {
  const Index columns = std::ssize(skipped), kept = std::ranges::count(skipped, false);
  Index target = named_column(request.label, names, where);
  const bool named_elsewhere = !request.only.empty() && !names.empty() && !request.label.empty();
  if (target < 0 && request.features_alone > 0 && (named_elsewhere || kept == request.features_alone))
    return target;
  const Index last = std::find(skipped.rbegin(), skipped.rend(), false).base() - skipped.begin() - 1;
  if (target < 0) target = request.label.empty() ? last : column_number(request.label) - 1;
  if (target < 0 || target >= columns) refuse_label(request.label, names, columns, where);
  if (skipped[static_cast<std::size_t>(target)])
    throw Error(fmt::format("the target's column, {}, is among those of problem.ignore",
                            names.empty() ? std::to_string(target + 1)
                                          : printable(names[static_cast<std::size_t>(target)])),
                where, "take it out of problem.ignore, or name another with problem.label");
  if (kept == 1)
    throw Error("there is one column, and no feature beside the target", where,
                "a row is features and a target");
  return target;
}

}  // namespace doc2s
