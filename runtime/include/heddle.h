// What a checked program may say to Heddle. Without Heddle (`__HEDDLE__` is then not defined) these have no meaning.
#ifndef HEDDLE_H
#define HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

// Explores every value from `low` to `high`, inclusive.
long heddle_choose(long low, long high);

// Executions in which `condition` is 0 are not counted and not checked any further.
void heddle_assume(int condition);

// In the body of a loop: cuts it off after `bound` iterations, a constant, whatever --unroll says.
void heddle_unroll(unsigned bound);

#ifdef __cplusplus
}
#endif

#endif
