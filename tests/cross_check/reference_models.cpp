// See reference_models.h. Formulas stand beside the code in the usual notation (; composition, [S] identity on S,
// r? reflexive closure, r+ transitive closure); `a * b` is a ; b and `a - b` is a \ b.
#include "reference_models.h"

#include <algorithm>

namespace heddle::cross_check {

namespace {

// An order as the access uses it: what C calls "at least acquire" for reads and fences, "at least release" for writes
// and fences. Each half of a read-modify-write has its own part of the operation's order.
bool at_least_acquire(MemoryOrder order) {
  return order == MemoryOrder::acquire || order == MemoryOrder::acquire_release || order == MemoryOrder::seq_cst;
}
bool at_least_release(MemoryOrder order) {
  return order == MemoryOrder::release || order == MemoryOrder::acquire_release || order == MemoryOrder::seq_cst;
}

// Choices and releases of memory are no part of any model: the relations that decide consistency do not know them. Only
// the order in which things happen, which decides about errors, does.
enum class Include { model_events, all_events };

// The primitive sets and relations of a candidate.
struct Primitives {
  Primitives(const Candidate& candidate, Include include)
      : size(static_cast<int>(candidate.events.size())),
        po(size),
        rf(size),
        co(size),
        rmw(size),
        same_location(size),
        external(size),
        fr(size),
        synchronises(size) {
    const auto is_included = [&](int i) {
      const EventKind kind = candidate.events[i].kind;
      return include == Include::all_events || (kind != EventKind::choice && kind != EventKind::release);
    };
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        if (i != j && is_included(i) && is_included(j)) add_pair(candidate, i, j);
      }
    }
    for (int i = 0; i < size; i++) add_event(candidate, i);
    for (const auto& [from, to] : candidate.synchronises) {
      if (is_included(from) && is_included(to)) synchronises.add(from, to);
    }
    for (const std::vector<int>& writes : candidate.coherence) {
      for (std::size_t i = 0; i < writes.size(); i++) {
        for (std::size_t j = i + 1; j < writes.size(); j++) co.add(writes[i], writes[j]);
      }
    }
    // fr = (rf^-1 ; co) \ id
    fr = (rf.inverse() * co) - Matrix::identity(size, ~EventSet{0});
  }

  void add_event(const Candidate& candidate, int i) {
    const CandidateEvent& event = candidate.events[i];
    const EventSet bit = EventSet{1} << i;
    const bool is_read = event.kind == EventKind::read, is_write = event.kind == EventKind::write;
    if (is_read) reads |= bit;
    if (is_write) writes |= bit;
    if (event.kind == EventKind::fence) fences |= bit;
    if (event.kind == EventKind::release) frees |= bit;
    if (event.kind >= EventKind::create && event.kind <= EventKind::leave) meetings |= bit;
    if (event.order != MemoryOrder::plain || event.kind == EventKind::fence) atomic |= bit;
    if (!is_write && at_least_acquire(event.order)) acquires |= bit;
    if (!is_read && at_least_release(event.order)) releases |= bit;
    if (event.order == MemoryOrder::seq_cst) seq_cst |= bit;
    if (event.exclusive && is_read) exclusive_reads |= bit;
    if (event.exclusive && is_write) exclusive_writes |= bit;
    if (event.failed_exclusive) failed_exclusive_reads |= bit;
    if (event.thread < 0) initial |= bit;
    if (candidate.reads_from[i] >= 0) rf.add(candidate.reads_from[i], i);
    if (event.exclusive && is_read) rmw.add(i, i + 1);
  }

  void add_pair(const Candidate& candidate, int i, int j) {
    const CandidateEvent &event = candidate.events[i], &other = candidate.events[j];
    if (event.location >= 0 && event.location == other.location) same_location.add(i, j);
    if (event.thread < 0 || event.thread != other.thread) external.add(i, j);
    // The initial writes come before every event of every thread.
    if (other.thread >= 0 && (event.thread < 0 || (event.thread == other.thread && event.index < other.index))) {
      po.add(i, j);
    }
  }

  Matrix only(EventSet set) const { return Matrix::identity(size, set); }

  int size;
  EventSet reads = 0, writes = 0, fences = 0, atomic = 0, acquires = 0, releases = 0, seq_cst = 0;
  EventSet exclusive_reads = 0, exclusive_writes = 0, failed_exclusive_reads = 0, initial = 0;
  EventSet frees = 0;
  EventSet meetings = 0;  // of threads: creating, joining, arriving at barriers and leaving them
  Matrix po, rf, co, rmw, same_location, external, fr, synchronises;
};

// ATOM: rmw & (fre ; coe) = 0
bool atomic_externally(const Primitives& p) { return (p.rmw & ((p.fr & p.external) * (p.co & p.external))).empty(); }

// COH: acyclic(po-loc | rf | co | fr)
bool coherent_per_location(const Primitives& p) { return ((p.po & p.same_location) | p.rf | p.co | p.fr).acyclic(); }

// acyclic(po | rf | co | fr | synchronises) and ATOM
bool consistent_sc(const Primitives& p) {
  return (p.po | p.rf | p.co | p.fr | p.synchronises).acyclic() && atomic_externally(p);
}

// COH, ATOM, and acyclic(ppo | fence | implied | sc | meeting | synchronises | rfe | co | fr). Only a seq_cst fence is
// MFENCE. Nothing is delayed past creating and joining threads or past a barrier.
bool consistent_tso(const Primitives& p, const ModelOptions& options) {
  const EventSet accesses = p.reads | p.writes;
  const EventSet locked_reads =
      p.exclusive_reads | (options.failed_compare_exchange_drains ? p.failed_exclusive_reads : 0);
  // A failed compare-exchange that drains has no write half: it is the end of the instruction itself.
  const EventSet locked_ends =
      p.exclusive_writes | (options.failed_compare_exchange_drains ? p.failed_exclusive_reads : 0);
  const Matrix ppo = p.po.restricted(p.writes, p.writes) | p.po.restricted(p.reads, accesses);
  const EventSet mfences = p.fences & p.seq_cst;
  const Matrix fence = p.po.restricted(accesses, mfences) * p.po.restricted(mfences, accesses);
  const Matrix implied = p.po.restricted(p.writes, locked_reads) | p.po.restricted(locked_ends, p.reads);
  // A seq_cst store is not delayed past a seq_cst load: the C11 mapping.
  const Matrix sc = p.po.restricted(p.writes & p.seq_cst, p.reads & p.seq_cst);
  const Matrix rfe = p.rf & p.external;
  const EventSet all = ~EventSet{0};
  const Matrix meeting = p.po.restricted(all, p.meetings) | p.po.restricted(p.meetings, all);
  return coherent_per_location(p) && atomic_externally(p) &&
         (ppo | fence | implied | sc | meeting | p.synchronises | rfe | p.co | p.fr).acyclic();
}

// As TSO, but writes to different locations are only kept in order by a release fence (STBAR) between them, by a release
// write (which comes after one) and by what drains the buffers.
bool consistent_pso(const Primitives& p) {
  const EventSet accesses = p.reads | p.writes, all = ~EventSet{0};
  const EventSet locked_reads = p.exclusive_reads | p.failed_exclusive_reads;
  const EventSet locked_ends = p.exclusive_writes | p.failed_exclusive_reads;
  const EventSet mfences = p.fences & p.seq_cst, stbars = p.fences & p.releases;
  const Matrix ppo = p.po.restricted(p.reads, accesses);
  const Matrix fence = p.po.restricted(accesses, mfences) * p.po.restricted(mfences, accesses) |
                       p.po.restricted(p.writes, stbars) * p.po.restricted(stbars, p.writes) |
                       p.po.restricted(p.writes, p.writes & p.releases);
  const Matrix implied = p.po.restricted(p.writes, locked_reads | p.exclusive_writes) |
                         p.po.restricted(locked_ends, accesses);
  const Matrix sc = p.po.restricted(p.writes & p.seq_cst, p.reads & p.seq_cst);
  const Matrix meeting = p.po.restricted(all, p.meetings) | p.po.restricted(p.meetings, all);
  return coherent_per_location(p) && atomic_externally(p) &&
         (ppo | fence | implied | sc | meeting | p.synchronises | (p.rf & p.external) | p.co | p.fr).acyclic();
}

// What orders memory between threads under PSO: reading a write that came after all earlier ones of its thread, or a
// later one of the same location.
Matrix happens_before_pso(const Primitives& p) {
  const EventSet atomic_writes = p.writes & p.atomic;
  const Matrix ordered = p.only(atomic_writes & (p.releases | p.exclusive_writes)) |
                         p.only(p.fences & p.releases) * p.po * p.only(atomic_writes);
  const Matrix same_buffer = (p.po & p.same_location).restricted(p.writes, atomic_writes).optional();
  return (p.po | ordered * same_buffer * p.rf * p.only(p.reads & p.atomic) | p.synchronises).closure();
}

// rs: which writes continue the release sequence that a write heads.
Matrix release_sequences(const Primitives& p, ReferenceModel model) {
  const Matrix updates = (p.rf * p.rmw).closure().optional();
  const Matrix heads = p.only(p.writes & p.atomic);
  if (model == ReferenceModel::rc11_2017) {
    // [W] ; (po & loc)? ; [W & AT] ; (rf ; rmw)*; initial writes belong to no thread
    const EventSet writes = p.writes & ~p.initial;
    return p.only(p.writes) * (p.po.restricted(writes, writes) & p.same_location).optional() * heads * updates;
  }
  if (model == ReferenceModel::rc11_c11) {
    // el = co & (int ; [AT] | E * UW); rs = [W & AT] ; (id | el \ ((co \ el) ; co))
    const Matrix elements = (p.co - p.external).restricted(p.writes, p.atomic) | p.co.restricted(p.writes, p.exclusive_writes);
    return heads * (elements - (p.co - elements) * p.co).optional();
  }
  return heads * updates;  // C++20: [W & AT] ; (rf ; rmw)*
}

// hb = (po | sw | synchronises)+
Matrix happens_before(const Primitives& p, ReferenceModel model) {
  const Matrix release_sequence = release_sequences(p, model);
  // sw = [REL] ; ([F] ; po)? ; rs ; rf ; [R & AT] ; (po ; [F])? ; [ACQ]
  const Matrix fence_before = (p.only(p.fences) * p.po).optional();
  const Matrix fence_after = (p.po * p.only(p.fences)).optional();
  const Matrix sw = p.only(p.releases) * fence_before * release_sequence * p.rf * p.only(p.reads & p.atomic) *
                    fence_after * p.only(p.acquires);
  return (p.po | sw | p.synchronises).closure();
}

// The relation psc of RC11 as published (Lahav et al., PLDI 2017).
Matrix partial_sc(const Primitives& p, const Matrix& hb, const Matrix& eco) {
  const Matrix sc = p.only(p.seq_cst);
  const Matrix sc_fences = p.only(p.seq_cst & p.fences);
  const Matrix po_elsewhere = p.po - p.same_location;
  // scb = po | (po \ loc) ; hb ; (po \ loc) | (hb & loc) | co | fr
  const Matrix scb = p.po | po_elsewhere * hb * po_elsewhere | (hb & p.same_location) | p.co | p.fr;
  // psc_base = ([SC] | [F & SC] ; hb?) ; scb ; ([SC] | hb? ; [F & SC])
  const Matrix base = (sc | sc_fences * hb.optional()) * scb * (sc | hb.optional() * sc_fences);
  // psc_F = [F & SC] ; (hb | hb ; eco ; hb) ; [F & SC]
  const Matrix fences = sc_fences * (hb | hb * eco * hb) * sc_fences;
  return base | fences;
}

// The strong variant: ([SC] | [F & SC] ; hb?) ; (hb | eco) ; ([SC] | hb? ; [F & SC])
Matrix partial_sc_strong(const Primitives& p, const Matrix& hb, const Matrix& eco) {
  const Matrix sc = p.only(p.seq_cst), sc_fences = p.only(p.seq_cst & p.fences);
  return (sc | sc_fences * hb.optional()) * (hb | eco) * (sc | hb.optional() * sc_fences);
}

// COHERENCE irreflexive(hb ; eco?), ATOMICITY rmw & (fr ; co) = 0, NO-THIN-AIR acyclic(po | rf | synchronises), SC
// acyclic(psc).
// RA is the same without the last. SRA is RA and acyclic(hb | co).
bool consistent_rc11(const Primitives& p, ReferenceModel model) {
  const Matrix hb = happens_before(p, model);
  const Matrix eco = (p.rf | p.co | p.fr).closure();
  if (!(hb * eco.optional()).irreflexive()) return false;
  if (!(p.rmw & (p.fr * p.co)).empty()) return false;
  if (!(p.po | p.rf | p.synchronises).acyclic()) return false;
  if (model == ReferenceModel::ra) return true;
  if (model == ReferenceModel::sra) return (hb | p.co).acyclic();
  if (model == ReferenceModel::rc11_strong) return partial_sc_strong(p, hb, eco).acyclic();
  return partial_sc(p, hb, eco).acyclic();
}

// What decides about errors. Under SC and TSO every reads-from edge synchronises.
Matrix order_of_happening(const Primitives& p, ReferenceModel model) {
  if (model == ReferenceModel::pso) return happens_before_pso(p);
  const bool hardware = model == ReferenceModel::sc || model == ReferenceModel::tso;
  return hardware ? (p.po | p.rf | p.synchronises).closure() : happens_before(p, model);
}

}  // namespace

const char* name_of(ReferenceModel model) {
  switch (model) {
    case ReferenceModel::sc: return "sc";
    case ReferenceModel::tso: return "tso";
    case ReferenceModel::pso: return "pso";
    case ReferenceModel::ra: return "ra";
    case ReferenceModel::sra: return "sra";
    case ReferenceModel::rc11: return "rc11";
    case ReferenceModel::rc11_2017: return "rc11-2017";
    case ReferenceModel::rc11_c11: return "rc11-c11";
    case ReferenceModel::rc11_strong: return "rc11-strong";
  }
  return "?";
}

std::optional<ReferenceModel> model_called(const std::string& name) {
  for (ReferenceModel model : all_models) {
    if (name == name_of(model)) return model;
  }
  return std::nullopt;
}

std::vector<ReferenceModel> models_that_allow(const Candidate& candidate, const std::vector<ReferenceModel>& models,
                                              const ModelOptions& options) {
  const Primitives primitives(candidate, Include::model_events);
  std::vector<ReferenceModel> allowing;
  for (const ReferenceModel model : models) {
    bool allows = false;
    switch (model) {
      case ReferenceModel::sc: allows = consistent_sc(primitives); break;
      case ReferenceModel::tso: allows = consistent_tso(primitives, options); break;
      case ReferenceModel::pso: allows = consistent_pso(primitives); break;
      default: allows = consistent_rc11(primitives, model);
    }
    if (allows) allowing.push_back(model);
  }
  return allowing;
}

bool has_race(const Candidate& candidate, ReferenceModel model) {
  const auto is_plain = [](const CandidateEvent& event) {
    const bool accesses = event.kind == EventKind::read || event.kind == EventKind::write;
    return event.thread >= 0 && accesses && event.order == MemoryOrder::plain;
  };
  if (std::none_of(candidate.events.begin(), candidate.events.end(), is_plain)) return false;
  const Primitives p(candidate, Include::all_events);
  const Matrix hb = order_of_happening(p, model);
  const EventSet accesses = (p.reads | p.writes) & ~p.initial;
  const Matrix conflicts = (Matrix::product(p.size, p.writes, accesses) | Matrix::product(p.size, accesses, p.writes)) &
                           p.same_location & p.external;
  const EventSet plain = accesses & ~p.atomic;
  const Matrix with_plain = conflicts.restricted(accesses, plain) | conflicts.restricted(plain, accesses);
  return !(with_plain - hb - hb.inverse()).empty();
}

namespace {

bool has_release(const Candidate& candidate) {
  return std::any_of(candidate.events.begin(), candidate.events.end(),
                     [](const CandidateEvent& event) { return event.kind == EventKind::release; });
}

}  // namespace

bool has_use_after_free(const Candidate& candidate, ReferenceModel model) {
  if (!has_release(candidate)) return false;
  const Primitives p(candidate, Include::all_events);
  const EventSet accesses = (p.reads | p.writes) & ~p.initial;
  return !(p.same_location.restricted(accesses, p.frees) - order_of_happening(p, model)).empty();
}

bool has_double_free(const Candidate& candidate) {
  if (!has_release(candidate)) return false;
  const Primitives p(candidate, Include::all_events);
  return !p.same_location.restricted(p.frees, p.frees).empty();
}

}  // namespace heddle::cross_check
