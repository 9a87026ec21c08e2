// All small programs: two threads of up to three operations, or three threads of up to two, over two locations. The
// operations come from a menu: loads, stores, exchanges, compare-exchanges and fences in every form that the
// model can tell apart (see distinguished_orders.h). Everything writes a value of its own; a compare-exchange
// expects the initial 0. Tested in small_programs_test.cpp.
//
// Of programs that differ only by exchanging threads or locations one is kept. Left out is what cannot interact: a
// location that only one thread uses or that nobody writes (the program without it is smaller), and threads that only
// have fences.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "litmus_program.h"

namespace heddle::cross_check {

// A part of the menu that can be run to its end where all of it is too much.
enum class MenuPart {
  all,        // every form, but for plain accesses
  accesses,   // loads and stores in every form, but for plain ones
  fences,     // relaxed and seq_cst loads and stores, all fences
  exchanges,  // relaxed loads and stores, all exchanges
  compares,   // relaxed loads and stores, all compare-exchanges whose failure order is the reading part of their order
  mixed,      // weakest and strongest loads and stores, weakest exchanges, strongest compare-exchanges and fences
  races,      // plain, relaxed and release-acquire loads and stores, and the strongest fence
};
inline constexpr MenuPart all_menu_parts[] = {MenuPart::all,       MenuPart::accesses,  MenuPart::fences, MenuPart::exchanges,
                                              MenuPart::compares, MenuPart::mixed,    MenuPart::races};
const char* name_of(MenuPart part);

// Operations on location 0.
std::vector<Operation> menu_of(MenuPart part, const std::set<std::string>& order_sets);

struct Shape {
  int threads = 2;
  int length = 3;  // operations a thread, at most; at least one
};

// Every count-th program, more or less: drawn by number, evenly; the slices 0 to count - 1 together are everything.
struct Slice {
  std::uint64_t number = 0;
  std::uint64_t count = 1;

  bool contains(std::uint64_t program) const;
};

class SmallPrograms {
 public:
  SmallPrograms(const std::vector<Operation>& menu, Shape shape);

  std::uint64_t count() const;

  // Calls `visit` with every program of the slice and its number, from 0, until it returns false.
  using Visit = std::function<bool(std::uint64_t number, const LitmusProgram& program)>;
  void for_each(const Slice& slice, const Visit& visit) const;

 private:
  // What there is to know about one thread: which operations, and which thread it is if the locations are exchanged.
  struct Thread {
    std::vector<int> entries;  // into the menu; the same on the other location is size of the menu higher
    std::uint32_t twin = 0;
    std::uint8_t uses = 0, writes = 0;  // bit i: location i
  };
  template <typename Found>
  void enumerate(const Found& found) const;
  bool is_chosen(const std::uint32_t* chosen) const;
  LitmusProgram build(const std::uint32_t* chosen) const;

  std::vector<Operation> menu_;
  Shape shape_;
  std::vector<Thread> threads_;
};

}  // namespace heddle::cross_check
