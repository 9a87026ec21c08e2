// See model_judgement.h. Labels are made from the names that the model language has for them.
#include "validate/model_judgement.h"

#include <map>
#include <string_view>

#include "base/check.h"
#include "consistency/compiled_model.h"
#include "relation/vocabulary.h"

namespace heddle::validate {

using bytecode::AccessKind;
using bytecode::RecordedEvent;
using bytecode::RecordedKind;
using consistency::PlainEvent;

namespace {

std::uint64_t label(std::string_view name) {
  for (const relation::SetName& set : relation::set_names)
    if (set.name == name) return std::uint64_t{1} << set.bit;
  HEDDLE_CHECK(false, "the model language knows the set");
  return 0;
}

bool takes_mutex(const RecordedEvent& event) {
  return event.access == AccessKind::lock || event.access == AccessKind::trylock;
}

// How strong an access is: of a read only its acquire side counts, of a write its release side.
std::uint64_t strength_of(MemoryOrder order, bool reads) {
  switch (order) {
    case MemoryOrder::plain: return label("NA");
    case MemoryOrder::relaxed: return label("AT") | label("RLX");
    case MemoryOrder::acquire: return label("AT") | (reads ? label("ACQ") : label("RLX"));
    case MemoryOrder::release: return label("AT") | (reads ? label("RLX") : label("REL"));
    case MemoryOrder::acquire_release: return label("AT") | (reads ? label("ACQ") : label("REL"));
    case MemoryOrder::seq_cst: return label("AT") | label("SC") | (reads ? label("ACQ") : label("REL"));
  }
  return 0;
}

std::uint64_t strength_of_fence(MemoryOrder order) {
  const bool both = order == MemoryOrder::acquire_release || order == MemoryOrder::seq_cst;
  std::uint64_t labels = 0;
  if (both || order == MemoryOrder::acquire) labels |= label("ACQ");
  if (both || order == MemoryOrder::release) labels |= label("REL");
  if (order == MemoryOrder::seq_cst) labels |= label("SC");
  return labels;
}

std::uint64_t labels_of(const RecordedEvent& event, const SeenEvent& seen) {
  switch (event.kind) {
    case RecordedKind::read: {
      std::uint64_t labels = label("R") | strength_of(event.order, true);
      if (event.exclusive) labels |= label("RX");
      if (seen.goes_on_to_write) labels |= label("UR");
      if (takes_mutex(event)) labels |= label("LR");
      return labels;
    }
    case RecordedKind::write: {
      std::uint64_t labels = label("W") | strength_of(event.order, false);
      if (event.exclusive) labels |= label("UW");
      if (takes_mutex(event)) labels |= label("LW");
      if (event.access == AccessKind::unlock) labels |= label("UL");
      return labels;
    }
    case RecordedKind::fence: return label("F") | strength_of_fence(event.order);
    case RecordedKind::create: return label("TC");
    case RecordedKind::begin: return label("TB");
    case RecordedKind::finish:
    case RecordedKind::arrive:
    case RecordedKind::pass: return label("TE");
    case RecordedKind::join:
    case RecordedKind::meet:
    case RecordedKind::leave: return label("TJ");
    case RecordedKind::allocate: return label("ALLOC");
    case RecordedKind::release: return label("FREE");
    default: return 0;
  }
}

using Location = std::pair<bytecode::Address, unsigned>;

std::map<Location, std::uint32_t> locations_of(const SecondRun& run) {
  std::map<Location, std::uint32_t> locations;
  for (const RecordedEvent& event : run.execution().events)
    if (event.kind == RecordedKind::read || event.kind == RecordedKind::write)
      locations.emplace(Location{event.address, event.size}, static_cast<std::uint32_t>(locations.size()));
  return locations;
}

}  // namespace

std::size_t ModelJudgement::size_of(const SecondRun& run) {
  return run.execution().events.size() + locations_of(run).size();
}

ModelJudgement::ModelJudgement(const consistency::Model& model, const SecondRun& run) : model_(model) {
  const std::map<Location, std::uint32_t> locations = locations_of(run);
  initial_writes_ = static_cast<std::uint32_t>(locations.size());
  for (std::uint32_t l = 0; l < initial_writes_; ++l) {
    PlainEvent initial;
    initial.labels = label("W") | label("IW");
    initial.location = l;
    graph_.push_back(initial);
  }
  const auto place = [&](std::uint32_t e) { return e == no_index ? consistency::nowhere : initial_writes_ + e; };
  for (std::uint32_t e = 0; e < run.execution().events.size(); ++e) {
    const RecordedEvent& event = run.event(e);
    const SeenEvent& seen = run.seen(e);
    const std::vector<std::uint32_t>& thread = run.threads()[event.thread].events;
    PlainEvent plain;
    plain.labels = labels_of(event, seen);
    plain.thread = event.thread;
    if (event.index > 0) plain.po_previous = place(thread[event.index - 1]);
    plain.created_by = place(seen.created_by);
    plain.joined = place(seen.joined);
    if (event.kind == RecordedKind::read || event.kind == RecordedKind::write)
      plain.location = locations.at({event.address, event.size});
    if (event.kind == RecordedKind::read)
      plain.reads_from = *event.reads_from == bytecode::initial_write ? plain.location : place(*event.reads_from);
    if (event.kind == RecordedKind::write) {
      const std::uint32_t rank = event.coherence_rank;
      plain.co_previous = rank == 1 ? plain.location : place(run.writes_of(event.address, event.size)[rank - 2]);
      if (event.exclusive) plain.rmw_read = plain.po_previous;
    }
    graph_.push_back(plain);
  }
  literal_ = std::make_unique<consistency::LiteralModel>(model.compiled().file, graph_);
}

bool ModelJudgement::is_error(std::uint32_t first, std::uint32_t second) {
  const std::pair<std::uint32_t, std::uint32_t> wanted = std::minmax(initial_writes_ + first, initial_writes_ + second);
  for (const relation::Rule& rule : model_.compiled().file.rules) {
    if (rule.warning) continue;
    for (const auto& pair : literal_->broken_pairs(rule))
      if (pair == wanted) return true;
  }
  return false;
}

// The order in which the exploration looks for accesses that come after a release: that of `coherence` while the
// execution grows; if the model has late parts, what its first rule asks for.
bool ModelJudgement::ordered(std::uint32_t first, std::uint32_t second) {
  const relation::ModelFile& file = model_.compiled().file;
  const consistency::BitMatrix order = model_.has_late_parts() ? literal_->synchronises()
                                       : file.coherence        ? literal_->view(*file.coherence)
                                                               : literal_->causal_order();
  return order.get(initial_writes_ + first, initial_writes_ + second);
}

}  // namespace heddle::validate
