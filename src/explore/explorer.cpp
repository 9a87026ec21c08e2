// Runs the search, starting again when it has learnt about the sizes of accesses or the use of barriers, and turns how
// it stopped into data.
#include "explore/explorer.h"

#include "explore/search.h"

namespace heddle::explore {

ExploreResult explore(const bytecode::Program& program, const consistency::Model& model,
                      const ExploreOptions& options) {
  AccessHints hints;
  ExploreOptions current = options;
  for (;;) {
    ExploreResult result;
    result.unordered_barriers = current.unordered_barriers;
    try {
      Search search(program, model, current, hints, result);
      search.run();
      return result;
    } catch (const RestartWithHints&) {
      continue;
    } catch (const RestartWithOrderedBarriers&) {
      current.unordered_barriers = false;
    } catch (const StopExploration& stop) {
      result.outcome = stop.outcome;
      result.obstacle = stop.obstacle;
      return result;
    } catch (const std::bad_alloc&) {
      result.outcome = Outcome::out_of_memory;
      return result;
    }
  }
}

}  // namespace heddle::explore
