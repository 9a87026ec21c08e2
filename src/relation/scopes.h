// Which name means what, seen from which file.
//
// A file sees, in this order: what it defines itself; what the files that it includes (directly or through others)
// define; the built-in names. A name that several included files define differently is ambiguous and must be written
// with its file: `C11::hb` for the `hb` of C11.kat. Built-in names can be declared anew (`declare rf`), which hides the
// built-in relations that are made from them; they cannot be redefined otherwise.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "relation/expression.h"
#include "relation/syntax.h"

namespace heddle::relation {

class Scopes {
 public:
  explicit Scopes(const SourceFiles& files);

  void include(unsigned into, unsigned file) { scopes_[into].included.insert(file); }

  // Null expression: the definition has a mistake that was reported. False if the name is taken; nothing changes then.
  bool define(unsigned file, const std::string& name, ExpressionPointer expression);
  // As define, but may take the name of a built-in set or relation.
  bool declare(unsigned file, const std::string& name, ExpressionPointer expression);

  enum class Outcome { found, broken, ambiguous, unknown };
  struct Lookup {
    Outcome outcome = Outcome::unknown;
    ExpressionPointer expression;  // of `found`
    std::string hint;  // of the others: what to write instead
  };
  Lookup find(unsigned file, const std::string& name) const;

 private:
  struct Scope {
    std::string stem;  // C11 for models/C11.kat
    std::map<std::string, ExpressionPointer, std::less<>> names;
    std::set<std::string, std::less<>> hidden;  // built-in names
    std::set<unsigned> included;
  };

  struct Candidate {
    std::string shown;
    ExpressionPointer expression;
  };

  std::set<unsigned> visible_from(unsigned file) const;  // the file itself not included
  Lookup find_qualified(unsigned file, const std::string& qualifier, const std::string& name) const;
  void add_from(const std::set<unsigned>& files, const std::string& name, std::vector<Candidate>& candidates) const;
  static Lookup decide(const std::vector<Candidate>& candidates);
  std::string suggestion(unsigned file, const std::string& name) const;

  std::vector<Scope> scopes_;  // by file
  std::map<std::string, ExpressionPointer, std::less<>> built_in_;
};

}  // namespace heddle::relation
