// Object files on disk, found again by a text that says everything they depend on. Knows nothing of what is in them.
//
// One file an entry: a line with sizes and a checksum, the key, the object. Files are written under another name and
// renamed, so that readers, of other processes too, see whole files or none; what is damaged all the same is noticed by
// the checksum and not used. Objects are code that will be run: the folder and its files must be ours, and nobody else
// may write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::consistency::native {

class ObjectCache {
 public:
  static constexpr std::size_t default_limit = 200;
  // `limit`: how many entries are kept; the ones that were not used for longest go first.
  explicit ObjectCache(std::string folder, std::size_t limit = default_limit)
      : folder_(std::move(folder)), limit_(limit) {}

  // The usual folder: $HEDDLE_CACHE_DIR, $XDG_CACHE_HOME/heddle or ~/.cache/heddle; empty if none of them is set.
  static std::string usual_folder();

  std::optional<std::string> read(const std::string& key);
  void write(const std::string& key, const std::string& object);

  const std::vector<std::string>& remarks() const { return remarks_; }  // what did not work, a line each
  std::string path_of(const std::string& key) const;

 private:
  bool make_folder();
  void remove_oldest();
  void remark(const std::string& what, const std::string& path);

  std::string folder_;
  std::size_t limit_;
  std::vector<std::string> remarks_;
};

std::uint64_t checksum(std::string_view bytes, std::uint64_t seed = 0xcbf29ce484222325u);

}  // namespace heddle::consistency::native
