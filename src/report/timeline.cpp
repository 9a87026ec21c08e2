// See timeline.h. Everything is first laid out as rows of plain text, then painted: colours never disturb alignment.
#include "report/timeline.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "report/describe_error.h"
#include "report/events_that_matter.h"
#include "report/explain_order.h"
#include "report/source_lines.h"

namespace heddle::report {

using bytecode::RecordedEvent;
using bytecode::Violation;

namespace {

constexpr std::size_t widest_side_by_side = 116;

// One line of a thread.
struct Row {
  std::uint32_t thread = 0;
  bool wrong = false;  // here it goes wrong
  std::string line, what, note;
};

struct Widths {
  std::size_t line = 0, what = 0;
};

std::string line_column(const Names& names, bytecode::CodePosition position, std::uint32_t home) {
  const bytecode::SourcePosition source = source_of(names.program(), position);
  if (source.line == 0) return "?";
  if (source.file == home) return std::to_string(source.line);
  return fmt::format("{}:{}", without_folders(file_of(names.program(), source)), source.line);
}

Row row_of(const Names& names, const Step& step, bool wrong, std::uint32_t home) {
  const RecordedEvent& event = names.execution().events[step.first];
  const std::string line = event.kind == bytecode::RecordedKind::begin ? "" : line_column(names, event.position, home);
  return {event.thread, wrong, line, describe_step(names, step), note_on_step(names, step, home)};
}

// The access that is itself the error (of freed memory, say), if it is a step of the execution.
std::optional<std::uint32_t> failing_step(const Violation& violation, const std::vector<std::uint32_t>& step_of) {
  if (violation.kind == bytecode::ErrorKind::race) return std::nullopt;
  for (const std::uint32_t e : violation.events) {
    if (e >= step_of.size()) continue;
    const RecordedEvent& event = violation.execution.events[e];
    if (event.thread == violation.thread && event.position == violation.position) return step_of[e];
  }
  return std::nullopt;
}

// The interleaving up to where the error happens: what comes after has nothing to do with it. Deadlocks need it all.
std::vector<std::uint32_t> until_error(const Violation& violation, const std::vector<Step>& steps,
                                       const std::vector<std::uint32_t>& interleaving, bool error_is_a_step) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < interleaving.size(); ++i) {
    const Step& step = steps[interleaving[i]];
    const bool concerned = std::any_of(violation.events.begin(), violation.events.end(),
                                       [&](std::uint32_t e) { return e == step.first || step.second == e; });
    const bool own = !error_is_a_step && violation.execution.events[step.first].thread == violation.thread;
    if (concerned || own || !violation.waits.empty()) end = i + 1;
  }
  return {interleaving.begin(), interleaving.begin() + static_cast<std::ptrdiff_t>(end)};
}

// The lines at the end that are no events: where the assertion fails, what a deadlocked thread waits for.
std::vector<Row> rows_at_the_end(const Names& names, const Violation& violation, std::uint32_t home) {
  std::vector<Row> rows;
  for (const bytecode::RecordedWait& wait : violation.waits) {
    if (wait.waits_for == bytecode::RecordedWait::For::thread)
      continue;  // the facts say it; only the others go in a circle
    rows.push_back({wait.thread, true, line_column(names, wait.position, home), describe_wait(names, wait, home), ""});
  }
  if (violation.waits.empty() && violation.kind != bytecode::ErrorKind::race) {
    rows.push_back(
        {violation.thread, true, line_column(names, violation.position, home), short_name(violation.kind), ""});
  }
  return rows;
}

Widths widths_of(const std::vector<Row>& rows) {
  Widths widths;
  for (const Row& row : rows) {
    widths.line = std::max(widths.line, row.line.size());
    if (!row.note.empty()) widths.what = std::max(widths.what, row.what.size());
  }
  return widths;
}

std::string plain_row(const Row& row, const Widths& widths) {
  std::string text = fmt::format("{} {:>{}}  ", row.wrong ? '!' : ' ', row.line, widths.line);
  return text + (row.note.empty() ? row.what : fmt::format("{:<{}}  {}", row.what, widths.what, row.note));
}

std::string painted_row(const Row& row, const Widths& widths, const Paint& paint) {
  if (row.wrong) return paint.red(plain_row(row, widths));
  if (row.note.empty()) return plain_row(row, widths);
  const std::string plain = plain_row(row, widths);
  return plain.substr(0, plain.size() - row.note.size()) + paint.dim(row.note);
}

std::string in_turns(const Names& names, const std::vector<Row>& rows, const Paint& paint) {
  const Widths widths = widths_of(rows);
  std::string text;
  unsigned turn = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || rows[i].thread != rows[i - 1].thread) {
      text += fmt::format("  {:>2}. {}\n", ++turn, paint.bold(names.thread_with_number(rows[i].thread)));
    }
    text += "      " + painted_row(rows[i], widths, paint) + "\n";
  }
  return text;
}

// By thread; the one in which it goes wrong comes last, so that causes stand before their effect.
struct Columns {
  std::map<std::pair<bool, std::uint32_t>, std::vector<Row>> columns;
  std::optional<std::uint32_t> last;

  void add(const Row& row) { columns[{last == row.thread, row.thread}].push_back(row); }
};

std::string stacked(const Names& names, const Columns& columns, const Paint& paint) {
  std::string text;
  for (const auto& [key, rows] : columns.columns) {
    text += "  " + paint.bold(names.thread_with_number(key.second)) + "\n";
    const Widths widths = widths_of(rows);
    for (const Row& row : rows) text += "    " + painted_row(row, widths, paint) + "\n";
  }
  return text;
}

std::string side_by_side(const Names& names, const Columns& columns, const Paint& paint) {
  struct Column {
    Widths widths;
    std::size_t width = 0;
    const std::vector<Row>* rows = nullptr;
    std::string title;
  };
  std::vector<Column> all;
  std::size_t total = 0, height = 0;
  for (const auto& [key, rows] : columns.columns) {
    Column column{widths_of(rows), 0, &rows, names.thread_with_number(key.second)};
    column.width = column.title.size();
    for (const Row& row : rows) column.width = std::max(column.width, plain_row(row, column.widths).size());
    total += column.width + 4;
    height = std::max(height, rows.size());
    all.push_back(column);
  }
  if (total > widest_side_by_side) return stacked(names, columns, paint);
  std::string text;
  const auto add_line = [&](const auto& cell) {
    std::string line = "  ";
    for (std::size_t c = 0; c < all.size(); ++c) {
      const auto [plain, painted] = cell(all[c]);
      line += painted;
      if (c + 1 < all.size()) line += std::string(all[c].width + 4 - plain.size(), ' ');
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add_line([&](const Column& column) { return std::pair(column.title, paint.bold(column.title)); });
  for (std::size_t r = 0; r < height; ++r) {
    add_line([&](const Column& column) {
      if (r >= column.rows->size()) return std::pair(std::string(), std::string());
      const Row& row = (*column.rows)[r];
      return std::pair(plain_row(row, column.widths), painted_row(row, column.widths, paint));
    });
  }
  return text;
}

// Goes on in the thread whose turn it is.
void add_end(std::vector<Row>& rows, std::vector<Row> at_end) {
  if (!rows.empty()) {
    const std::uint32_t current = rows.back().thread;
    std::stable_partition(at_end.begin(), at_end.end(), [&](const Row& row) { return row.thread == current; });
  }
  rows.insert(rows.end(), at_end.begin(), at_end.end());
}

bool several_threads(const std::vector<Row>& rows) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.thread != rows.front().thread; });
}

}  // namespace

std::string timeline(const Names& names, const Violation& violation, const std::string& model, const Paint& paint) {
  const std::uint32_t home = home_file(names, violation);
  const std::vector<Step> steps = steps_of(violation.execution);
  const std::vector<std::uint32_t> step_of = step_of_event(violation.execution, steps);
  const Order order = find_order(violation.execution, steps, violation.events);
  std::vector<std::uint32_t> needed;
  for (const CycleStep& step : order.cycle) needed.push_back(step.step);
  const ThatMatter matter = events_that_matter(violation, steps, needed);

  const std::optional<std::uint32_t> failing = failing_step(violation, step_of);
  const std::vector<Row> at_end = failing ? std::vector<Row>() : rows_at_the_end(names, violation, home);
  const auto row = [&](std::uint32_t s) {
    const bool races = violation.kind == bytecode::ErrorKind::race &&
                       std::any_of(violation.events.begin(), violation.events.end(),
                                   [&](std::uint32_t e) { return e < step_of.size() && step_of[e] == s; });
    Row result = row_of(names, steps[s], races || failing == s, home);
    if (failing == s) result.note = short_name(violation.kind);
    return result;
  };

  std::string text;
  if (order.cycle.empty()) {
    std::vector<Row> rows;
    for (const std::uint32_t s : until_error(violation, steps, order.interleaving, failing.has_value())) {
      if (matter.keep[s] != 0) rows.push_back(row(s));
    }
    add_end(rows, at_end);
    if (rows.empty() || (rows.size() == at_end.size() && !several_threads(rows))) return "";
    text = several_threads(rows) ? "An interleaving that shows it:\n" : "What happens before it:\n";
    text += in_turns(names, rows, paint);
  } else {
    Columns columns{{}, violation.thread};
    for (std::uint32_t s = 0; s < steps.size(); ++s) {
      if (matter.keep[s] != 0) columns.add(row(s));
    }
    for (const Row& end : at_end) columns.add(end);
    text = side_by_side(names, columns, paint);
    text += "\nNo interleaving of the threads shows this; it takes a reordering:\n";
    for (const std::string& line : tell_cycle(names, steps, order, model, home)) text += "  " + line + "\n";
  }
  if (matter.left_out != 0)
    text += fmt::format("({} earlier steps are left out; --verbose shows all)\n", matter.left_out);
  return text;
}

std::string all_events(const Names& names, const Violation& violation, const Paint& paint) {
  const std::uint32_t home = home_file(names, violation);
  Columns columns;
  for (const Step& step : steps_of(violation.execution)) {
    columns.add(row_of(names, step, false, home));
  }
  return stacked(names, columns, paint);
}

}  // namespace heddle::report
