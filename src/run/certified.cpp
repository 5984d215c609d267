// SPDX-License-Identifier: Apache-2.0
#include "certified.hpp"

#include <fmt/format.h>

#include "base/file_writer.hpp"

namespace doc2s {

CertifyAnswer certified(const PointsToCertify& asked, CertifiedProblem& problem, const CertifySearch& search,
                        const News& news, const TakeCertificate& take) {
  check_dimension(std::ssize(asked.points.front().point), problem, asked.file);
  const std::uint64_t seed = problem.config.seed();
  const GradientFunction gradient = problem.gradient(search.sampled, seed);
  CertifyAnswer answer{search.delta, search.epsilon, search.sampled, asked.which, !problem.has_gradient()};
  CertificateSearch point{search.delta, search.epsilon.value_or(0), search.budget, seed, search.memory};
  if (const auto note = memory_note(point, problem.problem().dimension())) answer.notes.push_back(*note);
  for (const auto& one : asked.points) {
    point.on_progress = [&](Index gradients, double bound) {
      news(fmt::format("{} ({} of {}): {} of {} gradients, {} {:.4g}", client_name(one.client),
                       answer.results.size() + 1, asked.points.size(), gradients, search.budget,
                       answer.is_estimate() ? "estimate" : "bound", bound));
    };
    auto [certificate, gradients, found_kink] = find_certificate(gradient, one.point, point);
    const bool kink = found_kink && !answer.differences;  // whose rounding looks like one
    answer.results.push_back(
        {"", one.client, certificate.bound, std::ssize(certificate.points), gradients, kink});
    if (kink)
      answer.notes.push_back(
          fmt::format("{}: f has a kink there, or within 2e-10 delta; the gradients are those beside it",
                      client_name(one.client)));
    if (take) take({one.client, std::move(certificate)});
  }
  return answer;
}

CertifyAnswer certified_in_file(const std::string& path, const PointsToCertify& asked,
                                CertifiedProblem& problem, const CertifySearch& search, const News& news) {
  const CertificateFile head{
      written_problem(problem.config), problem.config.seed(), search.sampled, search.epsilon, {}};
  const CertificateWriter::Shape shape{std::ssize(asked.points), std::ssize(asked.points.front().point),
                                       search.delta};
  CertifyAnswer answer{search.delta, search.epsilon, search.sampled};
  write_whole_file(path, [&](FileWriter& file) {
    CertificateWriter writer(head, shape, [&](std::string_view bytes) { file.write(bytes); });
    answer = certified(asked, problem, search, news,
                       [&](const CertificateFile::Entry& entry) { writer.add(entry); });
    writer.end();
  });
  return answer;
}

std::string client_name(const std::optional<Index>& client) {
  return client ? fmt::format("client {}", *client) : "the point";
}

}  // namespace doc2s
