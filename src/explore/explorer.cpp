// Runs the search, starting again when it has learnt about the sizes of accesses or the use of barriers, and turns how
// it stopped into data.
#include "explore/explorer.h"

#include "explore/search.h"

namespace heddle::explore {

namespace {

// Paths count choices, and there are others after a new start: those of one part would say nothing about the others.
ExploreResult cannot_be_split() {
  ExploreResult result;
  result.outcome = Outcome::unsupported;
  result.obstacle = Obstacle{
      "this program cannot be explored in parts: how it uses memory or barriers is only known "
      "after a first exploration",
      0,
      {},
      {}};
  return result;
}

}  // namespace

ExploreResult explore(const bytecode::Program& program, const consistency::Model& model,
                      const ExploreOptions& options) {
  const bool in_parts = options.below || options.split_depth;
  AccessHints hints;
  ExploreOptions current = options;
  if (in_parts || model.has_late_parts()) current.undone_updates = false;  // a part does not see all readers
  for (;;) {
    ExploreResult result;
    result.unordered_barriers = current.unordered_barriers;
    result.undone_updates = current.undone_updates;
    result.undone_among_others = current.undone_among_others;
    try {
      Search search(program, model, current, hints, result);
      search.run();
      return result;
    } catch (const RestartWithHints&) {
      if (in_parts) return cannot_be_split();
    } catch (const RestartWithOrderedBarriers&) {
      if (in_parts) return cannot_be_split();
      current.unordered_barriers = false;
    } catch (const RestartWithoutUndoing&) {
      bool& next_to_go = current.undone_among_others ? current.undone_among_others : current.undone_updates;
      next_to_go = false;
      hints.forget_passing();
    } catch (const StopExploration& stop) {
      result.outcome = stop.outcome;
      result.obstacle = stop.obstacle;
      return result;
    } catch (const std::bad_alloc&) {
      result.outcome = Outcome::out_of_memory;
      return result;
    }
    if (options.on_restart) options.on_restart();
  }
}

}  // namespace heddle::explore
