// See print_graph.h.
#include "prover/print_graph.h"

#include <algorithm>

#include "prover/label_classes.h"

namespace heddle::prover {

std::string print_graph(const SmallGraph& graph) {
  const auto name = [&](int e) { return "e" + std::to_string(e); };
  std::vector<int> threads, places;
  for (const auto& event : graph.events) {
    if (event.thread != SmallGraph::none) threads.push_back(event.thread);
    if (event.location != SmallGraph::none) places.push_back(event.location);
  }
  for (std::vector<int>* list : {&threads, &places}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  const auto place_name = [&](int place) {
    const auto i = std::find(places.begin(), places.end(), place) - places.begin();
    return i < 3 ? std::string(1, static_cast<char>('x' + i)) : "x" + std::to_string(i);
  };
  const auto describe = [&](int e) {
    const SmallGraph::Event& event = graph.events[e];
    std::string text = name(e) + ":";
    for (const relation::SetName& entry : relation::set_names) {
      if (event.labels >> entry.bit & 1) text += " " + std::string(entry.name);
    }
    if (event.location != SmallGraph::none) text += " " + place_name(event.location);
    if (event.reads_from != SmallGraph::none) {
      const bool initial = graph.events[event.reads_from].labels & bit("IW");
      text += " reads " + (initial ? "the initial write" : name(event.reads_from));
    }
    return text;
  };
  const auto sorted = [&](auto&& in, auto&& key) {
    std::vector<int> members;
    for (std::size_t i = 0; i < graph.events.size(); ++i) {
      if (in(graph.events[i])) members.push_back(static_cast<int>(i));
    }
    std::sort(members.begin(), members.end(),
              [&](int a, int b) { return key(graph.events[a]) < key(graph.events[b]); });
    return members;
  };
  std::string text;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    text += "thread " + std::to_string(t + 1) + ":";
    for (int e : sorted([&](const auto& event) { return event.thread == threads[t]; },
                        [](const auto& event) { return event.index; })) {
      text += "  " + describe(e) + ";";
    }
    text += "\n";
  }
  for (int place : places) {
    const auto writes = sorted([&](const auto& event) { return event.location == place && (event.labels & bit("W")); },
                               [](const auto& event) { return event.place; });
    if (writes.size() < 3) continue;  // the initial write and one other: nothing to say
    text += "writes of " + place_name(place) + ":";
    for (int w : writes) text += graph.events[w].labels & bit("IW") ? " initial" : " " + name(w);
    text += "\n";
  }
  return text;
}

}  // namespace heddle::prover
