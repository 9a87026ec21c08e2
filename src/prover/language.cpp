// See language.h. Tested in inclusion_test.cpp and, against graphs, in random_graphs_test.cpp.
#include "prover/language.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "prover/fragments.h"
#include "prover/saturate.h"

namespace heddle::prover {
namespace {

using relation::Expression;
using relation::ExpressionKind;
using relation::ExpressionPointer;
using relation::Primitive;

class Builder {
 public:
  Builder(const LabelClasses& classes, Theory theory, bool right)
      : classes_(classes),
        theory_(theory),
        right_(right),
        writes_(classes.named("W")),
        reads_(classes.named("R")),
        fragments_(classes, !right) {}

  Automaton assemble(const Expression& relation, bool cycle = false) {
    Fragment whole = build(relation, false);
    if (cycle) whole = repeated(std::move(whole));
    return fragments_.assemble(whole, cycle);
  }

 private:
  Fragment build(const Expression& e, bool inverse) {
    switch (e.kind) {
      case ExpressionKind::primitive: return right_ ? known(e.primitive, inverse) : step(own(e.primitive), inverse);
      case ExpressionKind::test: return test(classes_.of(*e.parts[0]));
      case ExpressionKind::alternative: {
        Fragment result;
        for (const auto& part : e.parts) result = either(std::move(result), build(*part, inverse));
        return result;
      }
      case ExpressionKind::sequence: {
        Fragment result = test(classes_.all());
        for (std::size_t i = 0; i < e.parts.size(); ++i) {
          result = fragments_.joined(std::move(result), build(*e.parts[inverse ? e.parts.size() - 1 - i : i], inverse));
        }
        return result;
      }
      case ExpressionKind::same_location: return same_location(*e.parts[0], inverse);
      case ExpressionKind::other_location: return other_location(*e.parts[0], inverse);
      case ExpressionKind::optional: return skippable(build(*e.parts[0], inverse));
      case ExpressionKind::plus: return repeated(build(*e.parts[0], inverse));
      case ExpressionKind::star: return skippable(repeated(build(*e.parts[0], inverse)));
      case ExpressionKind::inverse: return build(*e.parts[0], !inverse);
      default: throw TooLarge{};  // a kind of relation that this prover does not know: no answer
    }
  }

  // The letters that a primitive consists of.
  static Steps own(Primitive primitive) {
    using enum Letter;
    switch (primitive) {
      case Primitive::po: return prover::steps(po_loc, po_other);
      case Primitive::po_imm: return prover::steps(po_imm);
      case Primitive::po_loc: return prover::steps(po_loc);
      case Primitive::rf: return reads_from;
      case Primitive::rfe: return prover::steps(rfe);
      case Primitive::rfi: return prover::steps(rfi);
      case Primitive::co: return coherence;
      case Primitive::co_imm: return prover::steps(co_imm);
      case Primitive::coe: return prover::steps(coe);
      case Primitive::coi: return prover::steps(coi);
      case Primitive::fr: return from_read;
      case Primitive::fr_imm: return prover::steps(fr_imm);
      case Primitive::fre: return prover::steps(fre);
      case Primitive::fri: return prover::steps(fri);
      case Primitive::rmw: return prover::steps(rmw);
      case Primitive::tc: return prover::steps(tc);
      case Primitive::tj: return prover::steps(tj);
      case Primitive::loc: return prover::steps(loc);
      case Primitive::internal:
      case Primitive::external:
      case Primitive::addr:
      case Primitive::data:
      case Primitive::ctrl: break;  // no answer
    }
    throw TooLarge{};
  }

  // The words that are known to stay inside a primitive.
  Fragment known(Primitive primitive, bool inverse) {
    using enum Letter;
    switch (primitive) {
      case Primitive::po: return repeated(step(within_po_loc() | program_order, inverse));
      case Primitive::po_loc: return repeated(step(within_po_loc(), inverse));
      case Primitive::po_imm: return step(prover::steps(po_imm, rmw), inverse);
      case Primitive::co: return repeated(co_unit(inverse));
      case Primitive::fr: return known_fr(inverse);
      case Primitive::fr_imm: {
        const Steps read = prover::inverse(reads_from), next = prover::steps(co_imm);
        return either(step(prover::steps(fr_imm), inverse), chain(inverse, {step(read, inverse), step(next, inverse)}));
      }
      case Primitive::fri: {
        Fragment letter = step(prover::steps(fri), inverse);
        if (!theory_.coherent) return letter;
        return either(std::move(letter), either(step(prover::steps(rmw), inverse), read_before_write(inverse)));
      }
      case Primitive::coi: {
        Fragment letter = step(prover::steps(coi), inverse);
        if (!theory_.coherent) return letter;
        return either(std::move(letter),
                      chain(inverse, {test(writes_), repeated(step(within_po_loc(), inverse)), test(writes_)}));
      }
      case Primitive::loc: {
        Fragment all = repeated(step(at_one_location, inverse));
        all.skip = reads_ | writes_;
        return all;
      }
      default: return step(own(primitive), inverse);
    }
  }

  Steps within_po_loc() const {
    using enum Letter;
    Steps result = prover::steps(po_loc, rmw);
    if (theory_.reads_own_past) result |= prover::steps(rfi);
    if (theory_.coherent) result |= prover::steps(coi, fri);
    return result;
  }
  Steps within_fr() const {
    Steps result = from_read | prover::steps(Letter::fr_imm);
    if (theory_.coherent) result |= prover::steps(Letter::rmw);
    return result;
  }

  // One step of co, or a word that leads from a write to a later one.
  Fragment co_unit(bool inverse) {
    Fragment result = step(coherence | prover::steps(Letter::co_imm), inverse);
    result = either(std::move(result), chain(inverse, {step(reads_from, inverse), step(within_fr(), inverse)}));
    if (!theory_.coherent) return result;
    Fragment along_thread =
        chain(inverse, {test(writes_), skippable(step(reads_from, inverse)), repeated(step(within_po_loc(), inverse)),
                        skippable(step(within_fr(), inverse)), test(writes_)});
    return either(std::move(result), along_thread);
  }

  Fragment known_fr(bool inverse) {
    Fragment first = step(within_fr(), inverse);
    if (theory_.coherent) {
      first = chain(inverse, {skippable(repeated(step(within_po_loc(), inverse))), std::move(first)});
      first = either(std::move(first), read_before_write(inverse));
      first = chain(inverse, {test(reads_), std::move(first)});
    }
    Fragment direct = chain(inverse, {std::move(first), skippable(repeated(co_unit(inverse)))});
    return either(std::move(direct),
                  chain(inverse, {step(prover::inverse(reads_from), inverse), repeated(co_unit(inverse))}));
  }

  Fragment read_before_write(bool inverse) {
    return chain(inverse, {test(reads_), repeated(step(within_po_loc(), inverse)), test(writes_)});
  }

  static bool is_program_order(const Expression& e) {
    return e.kind == ExpressionKind::primitive && e.primitive == Primitive::po;
  }

  // Left: the location is forgotten unless a single letter knows it. Right: words that never leave the location.
  Fragment same_location(const Expression& e, bool inverse) {
    if (is_program_order(e)) {
      return right_ ? known(Primitive::po_loc, inverse) : step(prover::steps(Letter::po_loc), inverse);
    }
    if (!right_) return build(e, inverse);
    const bool outer = std::exchange(only_one_location_, true);
    Fragment result = build(e, inverse);
    only_one_location_ = outer;
    result.skip &= reads_ | writes_;
    return result;
  }

  Fragment other_location(const Expression& e, bool inverse) {
    if (!is_program_order(e)) return right_ ? Fragment{} : build(e, inverse);
    Fragment leave = step(prover::steps(Letter::po_other), inverse);
    if (!right_) return leave;
    const auto stay = [&] { return skippable(repeated(step(within_po_loc(), inverse))); };
    return chain(inverse, {stay(), std::move(leave), stay()});
  }

  Fragment step(Steps set, bool inverse) {
    if (inverse) set = prover::inverse(set);
    if (only_one_location_) set &= at_one_location;
    return fragments_.step(set);
  }

  static Fragment test(Classes guard) { return {guard, {}, {}}; }
  static Fragment either(Fragment left, const Fragment& right) { return Fragments::either(std::move(left), right); }
  Fragment skippable(Fragment fragment) const { return fragments_.skippable(std::move(fragment)); }
  Fragment repeated(Fragment fragment) { return fragments_.repeated(std::move(fragment)); }

  Fragment chain(bool inverse, std::vector<Fragment> fragments) {
    if (inverse) std::reverse(fragments.begin(), fragments.end());
    Fragment result = test(classes_.all());
    for (const Fragment& fragment : fragments) result = fragments_.joined(std::move(result), fragment);
    return result;
  }

  const LabelClasses& classes_;
  const Theory theory_;
  const bool right_;
  const Classes writes_, reads_;
  bool only_one_location_ = false;
  Fragments fragments_;
};

}  // namespace

ExpressionPointer inline_views(const ExpressionPointer& relation, const std::vector<relation::ViewDefinition>& views) {
  if (relation->is_set()) return relation;
  if (relation->kind == ExpressionKind::view) {
    const ExpressionPointer& step = views.at(relation->number).step;
    return relation::make_expression(ExpressionKind::plus, {inline_views(step, views)});
  }
  if (relation->parts.empty()) return relation;
  std::vector<ExpressionPointer> parts;
  for (const ExpressionPointer& part : relation->parts) parts.push_back(inline_views(part, views));
  if (parts == relation->parts) return relation;
  auto copy = std::make_shared<Expression>(*relation);
  copy->parts = std::move(parts);
  return copy;
}

Automaton left_automaton(const Expression& relation, const LabelClasses& classes) {
  return Builder(classes, {}, false).assemble(relation);
}

Automaton left_cycle_automaton(const Expression& relation, const LabelClasses& classes) {
  return Builder(classes, {}, false).assemble(relation, true);
}

Automaton right_automaton(const Expression& relation, const LabelClasses& classes, Theory theory, Steps left) {
  Automaton automaton = Builder(classes, theory, true).assemble(relation);
  saturate(automaton, classes, left);
  return automaton;
}

}  // namespace heddle::prover
