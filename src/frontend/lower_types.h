// Source types and positions for reports: DWARF types become bytecode::Type, so that a byte of a variable can be
// named `queue.slots[2].sequence`. Typedefs and qualifiers are looked through; recursive types are no problem because
// a type gets its number before its parts are visited.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include <map>
#include <string>
#include <vector>

#include "bytecode/program.h"

namespace llvm {
class DICompositeType;
class DIFile;
class DILocation;
class DIType;
class Instruction;
class Metadata;
}  // namespace llvm

namespace heddle::frontend {

class DebugInformation {
 public:
  // `files` are the paths as the user gave them: positions in these files keep that spelling.
  DebugInformation(bytecode::Program& program, const std::vector<std::string>& files);

  // Index into Program::types; 0 if the type is null or of no use.
  std::uint32_t type(const llvm::DIType* type);
  // `file` is what the module says: LLVM does not make sure that it is one.
  bytecode::SourcePosition position(const llvm::Metadata* file, unsigned line, unsigned column);
  bytecode::SourcePosition position(const llvm::DILocation* location);

 private:
  std::uint32_t composite(const llvm::DICompositeType* type);
  void add_fields(const llvm::DICompositeType* type, std::uint32_t index);
  std::uint32_t new_type(const llvm::DIType* plain);
  std::uint32_t array(const llvm::DICompositeType* type);

  std::string path_of(const llvm::DIFile* file) const;

  bytecode::Program& program_;
  std::map<std::string, std::string> given_;  // absolute path -> as the user gave it
  std::string directory_;                     // the current one
  llvm::DenseMap<const llvm::DIType*, std::uint32_t> types_;
  int nesting_ = 0;
  llvm::DenseMap<const llvm::DIFile*, std::uint32_t> files_;
};

}  // namespace heddle::frontend
