// See scopes.h. Tested in type_check_test.cpp.
#include "relation/scopes.h"

#include "relation/spelling.h"
#include "relation/vocabulary.h"

namespace heddle::relation {
namespace {

std::string stem_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.find('.'));
}

}  // namespace

Scopes::Scopes(const SourceFiles& files) {
  for (const SourceFile& file : files) scopes_.push_back({stem_of(file.path), {}, {}, {}});
  for (const SetName& entry : set_names)
    built_in_[std::string(entry.name)] = make_label(entry.bit, std::string(entry.name));
  built_in_["M"] = make_expression(ExpressionKind::set_union, {built_in_["R"], built_in_["W"]});
  built_in_["_"] = built_in_["true"] = make_expression(ExpressionKind::every_event, {});
  built_in_["false"] = make_expression(ExpressionKind::set_union, {});
  built_in_["id"] = make_identity();
  for (const RelationName& entry : relation_names)
    built_in_[std::string(entry.name)] = make_primitive(entry.primitive, std::string(entry.name));
}

bool Scopes::define(unsigned file, const std::string& name, ExpressionPointer expression) {
  Scope& scope = scopes_[file];
  if (find_function(name) || (built_in_.contains(name) && !scope.hidden.contains(name))) return false;
  return scope.names.emplace(name, std::move(expression)).second;
}

bool Scopes::declare(unsigned file, const std::string& name, ExpressionPointer expression) {
  Scope& scope = scopes_[file];
  if (find_function(name) || !scope.names.emplace(name, std::move(expression)).second) return false;
  if (!built_in_.contains(name)) return true;
  std::vector<std::string> waiting{name};
  while (!waiting.empty()) {
    const std::string base = std::move(waiting.back());
    waiting.pop_back();
    if (!scope.hidden.insert(base).second) continue;
    for (const auto& [from, derived] : derived_names) {
      if (from == base) waiting.emplace_back(derived);
    }
  }
  return true;
}

std::set<unsigned> Scopes::visible_from(unsigned file) const {
  std::set<unsigned> seen;
  std::vector<unsigned> waiting(scopes_[file].included.begin(), scopes_[file].included.end());
  while (!waiting.empty()) {
    const unsigned next = waiting.back();
    waiting.pop_back();
    if (seen.insert(next).second)
      waiting.insert(waiting.end(), scopes_[next].included.begin(), scopes_[next].included.end());
  }
  return seen;
}

void Scopes::add_from(const std::set<unsigned>& files, const std::string& name,
                      std::vector<Candidate>& candidates) const {
  for (const unsigned file : files) {
    if (const auto found = scopes_[file].names.find(name); found != scopes_[file].names.end())
      candidates.push_back({"`" + scopes_[file].stem + "::" + name + "`", found->second});
  }
}

// Several definitions of one name are fine if they say the same.
Scopes::Lookup Scopes::decide(const std::vector<Candidate>& candidates) {
  if (candidates.empty()) return {};
  std::string all;
  bool differ = false;
  for (const Candidate& candidate : candidates) {
    if (!candidate.expression) return {Outcome::broken, nullptr, ""};
    if (!same_expression(*candidate.expression, *candidates[0].expression)) differ = true;
    all += (all.empty() ? "" : " or ") + candidate.shown;
  }
  if (differ) return {Outcome::ambiguous, nullptr, "write " + all};
  return {Outcome::found, candidates[0].expression, ""};
}

Scopes::Lookup Scopes::find(unsigned file, const std::string& name) const {
  if (const std::size_t colons = name.rfind("::"); colons != std::string::npos)
    return find_qualified(file, name.substr(0, colons), name.substr(colons + 2));
  std::vector<Candidate> candidates;
  if (const auto own = scopes_[file].names.find(name); own != scopes_[file].names.end()) {
    candidates.push_back({"", own->second});
    return decide(candidates);
  }
  add_from(visible_from(file), name, candidates);
  const auto built_in = built_in_.find(name);
  if (built_in != built_in_.end() && !scopes_[file].hidden.contains(name))
    candidates.push_back({"`declare " + name + "`, or leave out the file that declares it", built_in->second});
  Lookup result = decide(candidates);
  if (result.outcome == Outcome::unknown && built_in != built_in_.end())
    result.hint = "the built-in `" + name + "` is hidden, because this file declares what it is made from: define it";
  else if (result.outcome == Outcome::unknown)
    result.hint = suggestion(file, name);
  return result;
}

Scopes::Lookup Scopes::find_qualified(unsigned file, const std::string& qualifier, const std::string& name) const {
  std::set<unsigned> visible = visible_from(file);
  visible.insert(file);
  std::vector<Candidate> candidates;
  std::vector<std::string_view> stems;
  bool known = false;
  for (const unsigned other : visible) {
    stems.push_back(scopes_[other].stem);
    if (scopes_[other].stem != qualifier) continue;
    known = true;
    std::vector<Candidate> found;
    add_from({other}, name, found);
    if (found.empty()) add_from(visible_from(other), name, found);
    candidates.insert(candidates.end(), found.begin(), found.end());
  }
  Lookup result = decide(candidates);
  if (result.outcome == Outcome::ambiguous) result.hint = "rename one of the files";
  if (result.outcome != Outcome::unknown) return result;
  if (!known) {
    const std::string near = did_you_mean(qualifier, stems);
    result.hint = near.empty() ? "no included file is called `" + qualifier + ".kat`" : near;
  } else if (built_in_.contains(name)) {
    result.hint = "`" + name + "` is built in: write it without `" + qualifier + "::`";
  } else {
    result.hint = "`" + qualifier + "` does not define `" + name + "`";
  }
  return result;
}

std::string Scopes::suggestion(unsigned file, const std::string& name) const {
  std::vector<std::string_view> candidates;
  std::set<unsigned> visible = visible_from(file);
  visible.insert(file);
  for (const unsigned other : visible) {
    for (const auto& [known, expression] : scopes_[other].names) candidates.push_back(known);
  }
  for (const auto& [known, expression] : built_in_) {
    if (!scopes_[file].hidden.contains(known)) candidates.push_back(known);
  }
  return did_you_mean(name, candidates);
}

}  // namespace heddle::relation
