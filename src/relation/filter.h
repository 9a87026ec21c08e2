// Intersection and difference of relations. `a & b` is not regular in general, but it is where `b` only filters the
// pairs of `a` and `a` is simple: these cases become ordinary expressions, which automata can follow. All others become
// relation_intersection or relation_difference, which can only be evaluated on a whole graph.
//
//   [S] * [T]   r & (S * T) = [S] ; r ; [T]
//   loc         po and views keep their pairs with a filter; rf, co, fr, rmw never leave a location
//   int, ext    rf & ext = rfe, ...; po and rmw never leave a thread; a view inside one thread is po
//   id          most relations have no reflexive pairs
#pragma once

#include "relation/expression.h"

namespace heddle::relation {

ExpressionPointer make_intersection(ExpressionPointer a, ExpressionPointer b);
ExpressionPointer make_difference(ExpressionPointer a, ExpressionPointer b);

}  // namespace heddle::relation
