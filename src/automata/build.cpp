// See build.h. Tested in nfa_test.cpp.
#include "automata/build.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::automata {
namespace {

using relation::Expression;
using relation::ExpressionKind;
using relation::Primitive;

constexpr std::size_t maximal_links = 20000;

struct End {
  std::uint32_t position;
  Guard guard;  // at the outer end of the position's step
};

struct Link {
  std::uint32_t from, to;
  Guard guard;  // on the event between the two steps
};

// Part of an automaton: how it can begin and end, and at which events it can be skipped.
struct Fragment {
  Guards skip;
  std::vector<End> first, last;
};

struct TooLarge {};

class Builder {
 public:
  explicit Builder(BuildOptions options) : options_(options) {}

  Fragment build(const Expression& e, bool inverse) {
    switch (e.kind) {
      case ExpressionKind::primitive: return primitive(e.primitive, inverse);
      case ExpressionKind::view: return view(e.number, inverse);
      case ExpressionKind::test: return {guards_of(*e.parts[0]), {}, {}};
      case ExpressionKind::alternative: return alternative(e, inverse);
      case ExpressionKind::sequence: return sequence(e, inverse);
      case ExpressionKind::same_location: return filtered(*e.parts[0], StepKind::po_loc, StepKind::view_loc, inverse);
      case ExpressionKind::other_location:
        return filtered(*e.parts[0], StepKind::po_other, StepKind::view_other, inverse);
      case ExpressionKind::optional: return skippable(build(*e.parts[0], inverse));
      case ExpressionKind::plus: return repeated(build(*e.parts[0], inverse));
      case ExpressionKind::star: return skippable(repeated(build(*e.parts[0], inverse)));
      case ExpressionKind::inverse: return build(*e.parts[0], !inverse);
      default: HEDDLE_CHECK(false, "a set where a relation was expected");
    }
    return {};
  }

  std::vector<Step> steps;   // of each position
  std::vector<Link> links;

 private:
  Fragment step(StepKind kind, bool inverse, unsigned view = 0) {
    const auto position = static_cast<std::uint32_t>(steps.size());
    steps.push_back({kind, kind == StepKind::loc ? false : inverse, static_cast<std::uint8_t>(view)});
    return {{}, {{position, {}}}, {{position, {}}}};
  }

  Fragment primitive(Primitive primitive, bool inverse) {
    switch (primitive) {
      case Primitive::po: return repeated(step(StepKind::po_imm, inverse));
      case Primitive::po_imm: return step(StepKind::po_imm, inverse);
      case Primitive::po_loc: return step(StepKind::po_loc, inverse);
      case Primitive::rf: return step(StepKind::rf, inverse);
      case Primitive::rfe: return step(StepKind::rfe, inverse);
      case Primitive::rfi: return step(StepKind::rfi, inverse);
      case Primitive::co:
        if (!options_.sparse_orders) return either(step(StepKind::coi, inverse), step(StepKind::coe, inverse));
        return repeated(step(StepKind::co_imm, inverse));
      case Primitive::co_imm: return step(StepKind::co_imm, inverse);
      case Primitive::coe: return step(StepKind::coe, inverse);
      case Primitive::coi: return step(StepKind::coi, inverse);
      case Primitive::fr: {
        if (!options_.sparse_orders) return either(step(StepKind::fri, inverse), step(StepKind::fre, inverse));
        Fragment begin = step(StepKind::fr_imm, inverse);
        Fragment rest = skippable(repeated(step(StepKind::co_imm, inverse)));
        return inverse ? joined(std::move(rest), begin) : joined(std::move(begin), rest);
      }
      case Primitive::fr_imm: return step(StepKind::fr_imm, inverse);
      case Primitive::fre: return step(StepKind::fre, inverse);
      case Primitive::fri: return step(StepKind::fri, inverse);
      case Primitive::rmw: return step(StepKind::rmw, inverse);
      case Primitive::tc: return step(StepKind::tc, inverse);
      case Primitive::tj: return step(StepKind::tj, inverse);
      case Primitive::loc: return step(StepKind::loc, inverse);
      case Primitive::internal: {  // po | po^-1 | id
        Fragment after = repeated(step(StepKind::po_imm, false));
        return skippable(either(std::move(after), repeated(step(StepKind::po_imm, true))));
      }
      case Primitive::external:
      case Primitive::addr:
      case Primitive::data:
      case Primitive::ctrl: break;
    }
    HEDDLE_CHECK(false, "a relation that no automaton can follow");
    return {};
  }

  Fragment view(unsigned index, bool inverse) {
    if (!options_.sparse_views) return step(StepKind::view_all, inverse, index);
    Fragment first = step(StepKind::view_first, inverse, index);
    return joined(std::move(first), skippable(repeated(step(StepKind::po_imm, inverse))));
  }

  Fragment filtered(const Expression& e, StepKind of_po, StepKind of_view, bool inverse) {
    return e.kind == ExpressionKind::view ? step(of_view, inverse, e.number) : step(of_po, inverse);
  }

  Fragment alternative(const Expression& e, bool inverse) {
    Fragment result;
    for (const auto& part : e.parts) {
      result = either(std::move(result), build(*part, inverse));
    }
    return result;
  }

  Fragment sequence(const Expression& e, bool inverse) {
    Fragment result{{Guard{}}, {}, {}};
    for (std::size_t i = 0; i < e.parts.size(); ++i) {
      result = joined(std::move(result), build(*e.parts[inverse ? e.parts.size() - 1 - i : i], inverse));
    }
    return result;
  }

  static Fragment either(Fragment left, const Fragment& right) {
    left.skip = disjunction(std::move(left.skip), right.skip);
    left.first.insert(left.first.end(), right.first.begin(), right.first.end());
    left.last.insert(left.last.end(), right.last.begin(), right.last.end());
    return left;
  }

  static Fragment skippable(Fragment fragment) {
    fragment.skip = {Guard{}};
    return fragment;
  }

  Fragment repeated(Fragment fragment) {
    link(fragment.last, fragment.first);
    return fragment;
  }

  Fragment joined(Fragment left, const Fragment& right) {
    link(left.last, right.first);
    extend(left.first, right.first, left.skip);
    std::vector<End> last = right.last;
    extend(last, left.last, right.skip);
    return {conjunction(left.skip, right.skip), std::move(left.first), std::move(last)};
  }

  // Adds `more` to `ends`, guarded by the skipped part between them.
  void extend(std::vector<End>& ends, const std::vector<End>& more, const Guards& skipped) {
    for (const End& end : more) {
      for (const Guard& guard : conjunction({end.guard}, skipped)) ends.push_back({end.position, guard});
    }
    if (ends.size() > maximal_links) throw TooLarge{};
  }

  void link(const std::vector<End>& from, const std::vector<End>& to) {
    for (const End& a : from) {
      const Guard arrives = target_of(steps[a.position]);
      for (const End& b : to) {
        if (conjunction({arrives}, {source_of(steps[b.position])}).empty()) continue;  // e.g. rf ; rf
        for (const Guard& guard : conjunction({a.guard}, {b.guard})) links.push_back({a.position, b.position, guard});
      }
    }
    if (links.size() > maximal_links) throw TooLarge{};
  }

  BuildOptions options_;
};

// Adds the transition unless what its step guarantees contradicts its guards; guards keep only what is not guaranteed.
void add(Nfa& nfa, std::uint32_t from, std::uint32_t to, Step step, const Guard& source, const Guard& target) {
  const Guard given_source = source_of(step), given_target = target_of(step);
  if (conjunction({source}, {given_source}).empty() || conjunction({target}, {given_target}).empty()) return;
  nfa.transitions.push_back({from, to, step, implies(given_source, source) ? Guard{} : source,
                             implies(given_target, target) ? Guard{} : target});
}

// States: 0 the initial one, 1 .. positions, then (unless it is the initial one) the accepting one.
std::optional<Nfa> assemble(const Expression& relation, BuildOptions options, bool circle) {
  Builder builder(options);
  Fragment whole;
  try {
    whole = builder.build(relation, false);
  } catch (const TooLarge&) {
    return std::nullopt;
  }
  Nfa nfa;
  const auto positions = static_cast<std::uint32_t>(builder.steps.size());
  const std::uint32_t accepting = circle ? 0 : positions + 1;
  nfa.states = positions + (circle ? 1 : 2);
  nfa.accepting.assign(nfa.states, false);
  nfa.accepting[accepting] = true;
  nfa.empty_word = whole.skip;
  const auto enter = [&](std::uint32_t from, std::uint32_t position, const Guard& guard) {
    const Step step = builder.steps[position];
    add(nfa, from, position + 1, step, guard, {});
    for (const End& end : whole.last) {
      if (end.position == position) add(nfa, from, accepting, step, guard, end.guard);
    }
  };
  for (const End& end : whole.first) enter(0, end.position, end.guard);
  for (const Link& link : builder.links) enter(link.from + 1, link.to, link.guard);
  if (nfa.transitions.size() > maximal_links) return std::nullopt;
  std::sort(nfa.transitions.begin(), nfa.transitions.end());
  nfa.transitions.erase(std::unique(nfa.transitions.begin(), nfa.transitions.end()), nfa.transitions.end());
  trim(nfa);
  return nfa;
}

}  // namespace

std::optional<Nfa> build(const Expression& relation, BuildOptions options) {
  return assemble(relation, options, false);
}
std::optional<Nfa> build_circle(const Expression& relation, BuildOptions options) {
  return assemble(relation, options, true);
}

}  // namespace heddle::automata
