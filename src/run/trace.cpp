// SPDX-License-Identifier: Apache-2.0
#include "trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <set>
#include <sstream>
#include <utility>

#include "base/json.hpp"
#include "base/text.hpp"
#include "config/schema.hpp"
#include "doc2s/base/error.hpp"
#include "network/change.hpp"
#include "partition/sites.hpp"

namespace doc2s {

namespace {

std::string digits(double number) { return std::isfinite(number) ? fmt::format("{:.17g}", number) : "null"; }

template <class Numbers, class Text>
std::string list(const Numbers& numbers, Text text) {
  std::string out = "[";
  for (const auto& number : numbers) {
    if (out.size() > 1) out += ", ";
    out += text(number);
  }
  return out + "]";
}

template <class Real>
std::string vector_text(std::span<const Real> numbers) {
  return list(numbers, [](Real number) { return digits(number); });
}

std::string matrix_text(const Weights& P) {
  std::vector<std::string> rows;
  for (int i = 0; i < P.clients(); ++i) {
    std::vector<double> row(P.clients());
    for (const auto& [client, weight] : P.row(i)) row[client] = weight;
    rows.push_back(vector_text<double>(row));
  }
  return "[" + joined(rows) + "]";
}

template <class Real>
std::string start_text(const std::vector<Real>& x0) {
  const bool zero = std::all_of(x0.begin(), x0.end(), [](Real number) { return number == 0; });
  return zero ? json(std::string("zero")) : vector_text<Real>(x0);
}

std::string value_text(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return number ? digits(*number) : to_json(value);
}

// Samples that no file holds are written beside the trace, so that whoever replays it has them.
template <class Real>
std::string data_path(const MadeProblem<Real>& made, const std::string& trace) {
  if (!made.write_samples) return "";
  const std::string path = trace + ".svm";
  write_whole_file(path, made.write_samples);
  return std::filesystem::absolute(path).string();
}

// For each of these rounds the edges that are down.
std::string down_text(const NetworkChange& change, Tick first, Tick end) {
  std::vector<std::string> rounds;
  for (Tick round = first; round < end; ++round) {
    std::vector<std::string> down;
    for (Index edge = 0; edge < std::ssize(change.edges()); ++edge)
      if (const auto [a, b] = change.edges()[edge]; !change.up(edge, round))
        down.push_back(fmt::format("[{}, {}]", a, b));
    rounds.push_back("[" + joined(down) + "]");
  }
  return "[" + joined(rounds) + "]";
}

template <class Real>
std::string header(const Experiment<Real>& experiment, const std::string& trace) {
  const Config& config = experiment.config;
  JsonObject head;
  head.add("n", experiment.world.n())
      .add("d", experiment.world.d())
      .add("precision", config.general.text("precision"))
      .add("seed", config.general.integer("seed"))
      .add("problem", config.problem.text("name"))
      .add("batch", config.problem.integer("batch"))
      .add("method", config.method.text("name"))
      .add("order", config.method.text("order"))
      .add_raw("form", config.method.has("form") ? json(config.method.text("form")) : "null");
  const std::string beside = data_path(experiment.made, trace);
  for (const auto& [name, value] : experiment.made.facts)
    head.add_raw(name, name == "data" && !beside.empty() ? json(beside) : value_text(value));
  const std::set<std::string> above = {"name", "label", "order", "form"};
  for (const auto& [known, value] : values_in_force(config, "method"))
    if (!above.contains(known.option.name)) head.add_raw(known.option.name, value_text(value));
  if (experiment.network.change)
    for (const char* name : {"change", "graphs", "every", "loss", "burst", "lazy"})
      if (config.network.has(name)) head.add_raw(name, value_text(config.network.value(name)));
  head.add_raw("P", matrix_text(experiment.network.P)).add_raw("x0", start_text(experiment.x0));
  return JsonObject().add_raw("header", head.line()).line();
}

}  // namespace

template <class Real>
void refuse_large_trace(const Experiment<Real>& experiment, const std::string& path) {
  constexpr Index most = 200'000;  // numbers in the clients' rows
  const Index numbers = experiment.world.n() * experiment.world.d();
  if (numbers <= most) return;
  const Settings& run = experiment.config.run;
  Tick iterations = experiment.algorithm->length();
  if (run.has("budget.iterations")) iterations = std::min<Tick>(iterations, run.integer("budget.iterations"));
  const double gigabytes =
      66e-9 * static_cast<double>(experiment.world.d()) * static_cast<double>(iterations);
  throw Error(fmt::format("a trace of {} clients with {} numbers each would take up to {:.2g} GB",
                          experiment.world.n(), experiment.world.d(), gigabytes),
              "--trace " + path, "say --trace " + path + " twice if you want it all the same");
}

template <class Real>
void refuse_trace_of_others(const Experiment<Real>& experiment, const std::string& path) {
  const Settings& problem = experiment.config.problem;
  const bool common = !experiment.made.is_users && !is_site_pattern(problem.text("data"));
  if (experiment.processes.count() == 1 || common || experiment.config.run.flag("trace_of_all")) return;
  throw Error("the first process would write the gradients of all clients, from which records can be rebuilt",
              "--trace " + path, "add --trace-of-all (run.trace_of_all = true) if it may have them");
}

template <class Real>
Trace<Real>::Trace(const std::string& path, Experiment<Real>& experiment)
    : experiment_(experiment), mean_(experiment.x0.size()), rounds_(experiment.peers.traffic().rounds) {
  if (experiment.processes.is_first()) {
    file_.emplace(path);
    file_->write_line(header(experiment, path));
  }
  listen();
}

template <class Real>
Trace<Real>::Trace(const std::string& path, Experiment<Real>& experiment, Index kept)
    : experiment_(experiment), mean_(experiment.x0.size()), rounds_(experiment.peers.traffic().rounds) {
  if (experiment.processes.is_first()) file_.emplace(path, kept);
  listen();
}

template <class Real>
void Trace<Real>::listen() {
  experiment_.oracle->observer = [this](const Estimate<Real>& estimate) { note(estimate); };
}

template <class Real>
Index Trace<Real>::sync() {
  return file_ ? file_->sync() : 0;
}

template <class Real>
Trace<Real>::~Trace() {
  experiment_.oracle->observer = nullptr;
}

template <class Real>
void Trace<Real>::note(const Estimate<Real>& estimate) {
  // several travellers at a client are told apart; several draws of one caller go together
  const int which = experiment_.algorithm->travels() ? estimate.draw : 0;
  const std::lock_guard lock(noting_);
  Call& call = calls_[{estimate.client, which}];
  call.g = vector_text(estimate.g);
  if (estimate.again) return;  // ξ and z are there already
  for (const Index sample : estimate.batch)
    call.batch.push_back(std::to_string(experiment_.problem().row(estimate.client, sample)));
  const std::size_t d = estimate.g.size();
  for (std::size_t first = 0; first < estimate.z.size(); first += d)
    call.z.push_back(vector_text(estimate.z.subspan(first, d)));
}

// Batch, z and g of a caller, a line each.
template <class Real>
std::string Trace<Real>::text_of(const Caller& caller) const {
  const Call& call = calls_.at(caller);
  const auto in_force = experiment_.algorithm->estimate(caller.first);
  return "[" + joined(call.batch) + "]\n" +
         (call.z.size() == 1 ? call.z.front() : "[" + joined(call.z) + "]") + "\n" +
         (in_force.empty() ? call.g : vector_text(in_force)) + "\n";
}

template <class Real>
typename Trace<Real>::Texts Trace<Real>::of_all_callers() const {
  std::string mine;
  for (const auto& [caller, call] : calls_) mine += text_of(caller);
  Texts texts;
  for (const std::string& lines : experiment_.processes.gather(mine)) {
    std::istringstream stream(lines);
    for (std::string batch, z, g;
         std::getline(stream, batch) && std::getline(stream, z) && std::getline(stream, g);) {
      texts.batch.push_back(batch);
      texts.z.push_back(z);
      texts.g.push_back(g);
    }
  }
  return texts;
}

// The callers come by client; a travelling method's lists go by traveller.
template <class Real>
void Trace<Real>::in_order_of_travellers(const std::vector<Visit>& visits, Texts& texts) const {
  std::vector<std::size_t> by_client(visits.size());
  std::iota(by_client.begin(), by_client.end(), std::size_t{0});
  std::ranges::sort(by_client, {}, [&](std::size_t k) { return Caller(visits[k].client, visits[k].draw); });
  for (auto* all : {&texts.batch, &texts.z, &texts.g}) {
    std::vector<std::string> by_traveller(all->size());
    for (std::size_t place = 0; place < all->size(); ++place)
      by_traveller[by_client[place]] = std::move((*all)[place]);
    *all = std::move(by_traveller);
  }
}

template <class Real>
void Trace<Real>::write(Tick tick) {
  const World<Real>& world = experiment_.world;
  Algorithm<Real>& method = *experiment_.algorithm;
  const auto caller = method.caller(tick);
  const std::vector<Visit> visits = method.visits(tick);
  method.mean_point(mean_);
  Texts texts = of_all_callers();
  calls_.clear();
  if (!file_) return;
  if (method.travels()) in_order_of_travellers(visits, texts);
  // the caller's text as it is; else one a client or traveller
  const auto lists = [&](const std::vector<std::string>& all) {
    return caller ? all.front() : "[" + joined(all) + "]";
  };
  const auto of_visits = [&](auto Visit::*member) {
    return list(visits, [&](const Visit& visit) { return value_text(Value(visit.*member)); });
  };
  std::string client = caller ? std::to_string(*caller) : "null", s = "null";
  if (method.travels()) {
    client = of_visits(&Visit::client);
    s = of_visits(&Visit::s);
  } else if (method.interpolates()) {
    std::vector<double> all;
    for (int i = 0; i < world.n(); ++i) all.push_back(world.interpolation(i, tick));
    s = vector_text<double>(all);
  }
  JsonObject line;
  line.add("tick", tick)
      .add_raw("client", client)
      .add_raw("s", s)
      .add_raw("batch", lists(texts.batch))
      .add_raw("z", lists(texts.z))
      .add_raw("g", lists(texts.g));
  if (method.travels()) line.add_raw("hops", of_visits(&Visit::hops));
  line.add_raw("y_mean", vector_text<Real>(mean_));
  if (const auto& change = experiment_.network.change)
    line.add_raw("down", down_text(*change, std::exchange(rounds_, experiment_.peers.traffic().rounds),
                                   experiment_.peers.traffic().rounds));
  file_->write_line(line.line());
  file_->flush();
}

template void refuse_trace_of_others(const Experiment<float>&, const std::string&);
template void refuse_trace_of_others(const Experiment<double>&, const std::string&);
template void refuse_large_trace(const Experiment<float>&, const std::string&);
template void refuse_large_trace(const Experiment<double>&, const std::string&);
template class Trace<float>;
template class Trace<double>;

}  // namespace doc2s
