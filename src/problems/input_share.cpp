// SPDX-License-Identifier: Apache-2.0
#include "image_data.hpp"
#include "table_data.hpp"

namespace doc2s {

namespace {

InputShare table_share(const ProblemRequest& request) {
  TableData table = table_data(request);
  const std::size_t outputs = table.preprocessing.classes.size();
  InputShare data;
  data.train = {inputs_of(std::move(table.train), outputs), std::move(table.shares), std::move(table.rows)};
  for (Table& part : table.validation) data.train.validation.push_back(inputs_of(std::move(part), outputs));
  data.test = inputs_of(std::move(table.test), outputs);
  data.split = std::move(table.split);
  data.preprocessing = std::move(table.preprocessing);
  data.source = table.source;
  data.notices = std::move(table.notices);
  data.local_notices = std::move(table.local_notices);
  return data;
}

}  // namespace

InputShare input_share(const ProblemRequest& request, bool with_moments, MakeImages synthetic) {
  return is_table_data(request.problem) ? table_share(request)
                                        : image_share(request, with_moments, synthetic);
}

}  // namespace doc2s
