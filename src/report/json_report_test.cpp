// The fields that scripts depend on, and that a trace reads back as what was written.
#include "report/json_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/dot_report.h"
#include "report/example_executions.h"
#include "report/json_reader.h"

namespace heddle::report {
namespace {

using Json = nlohmann::json;

Json json_of(const Example& example) { return Json::parse(json_report(example.program, example.report())); }

TEST(JsonReport, EveryFieldOfTheContract) {
  const Json json = json_of(message_passing(MemoryOrder::relaxed, MemoryOrder::acquire));
  EXPECT_EQ(json["tool"], "heddle");
  EXPECT_EQ(json["version"], tool_version);
  EXPECT_EQ(json["command"], "check");
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["files"], Json::array({"mp.c"}));
  EXPECT_EQ(json["model"], "rc11");
  EXPECT_EQ(json["equivalence"], "co");
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["executions"], Json::parse(R"({"complete": 2, "blocked": 0, "bounded": 0})"));
  EXPECT_EQ(json["bounds"], Json::array());
  EXPECT_EQ(json["warnings"], Json::array());
  EXPECT_EQ(json["time_s"], 0.018);
  EXPECT_EQ(json["peak_memory_mb"], 21);
  EXPECT_EQ(json["workers"], 1);
  const Json& error = json["errors"].at(0);
  EXPECT_EQ(error["kind"], "assertion");
  EXPECT_EQ(error["message"], "assertion failed: data == 42");
  EXPECT_EQ(error["location"], Json::parse(R"({"file": "mp.c", "line": 24, "column": 5})"));
  EXPECT_EQ(error["threads"].at(0), Json::parse(R"({"id": 0, "name": "main", "created_at": null})"));
  EXPECT_EQ(error["threads"].at(1),
            Json::parse(R"({"id": 1, "name": "writer", "created_at": {"file": "mp.c", "line": 41, "column": 5}})"));
  EXPECT_EQ(error["path"], "0*3.1");
}

TEST(JsonReport, EventsInSourceTerms) {
  const Json events = json_of(message_passing(MemoryOrder::relaxed, MemoryOrder::acquire))["errors"].at(0)["events"];
  ASSERT_EQ(events.size(), 8u);
  EXPECT_EQ(events[5],
            Json::parse(R"({"thread": 1, "index": 2, "kind": "write", "order": "relaxed", "variable": "ready",
    "value": "1", "reads_from": null, "coherence": 1, "location": {"file": "mp.c", "line": 13, "column": 5}})"));
  EXPECT_EQ(events[6]["reads_from"], Json::parse("[1, 2]"));
  EXPECT_EQ(events[7]["reads_from"], "initial");
}

TEST(JsonReport, InterleavingOrReordering) {
  const Json weak = json_of(message_passing(MemoryOrder::relaxed, MemoryOrder::acquire))["errors"].at(0);
  EXPECT_TRUE(weak["interleaving"].is_null());
  EXPECT_EQ(weak["reordering"],
            "no interleaving of the threads shows this; writer: line 12 and line 13 may take effect "
            "out of order, the write of line 13 is only relaxed");
  const Json strong = json_of(freed_too_early())["errors"].at(0);
  EXPECT_EQ(strong["interleaving"], Json::parse("[[0,0],[0,1],[1,0],[1,1],[1,2],[1,3],[2,0],[2,1]]"));
  EXPECT_FALSE(strong.contains("reordering"));
}

TEST(JsonReport, AnyBytesAreWrittenAsValidJson) {
  Example example("bad\xff.c");
  example.fail(bytecode::ErrorKind::assertion, "\"\xc3(\n", 0, 3);
  EXPECT_EQ(json_of(example)["errors"].at(0)["kind"], "assertion");
}

TEST(JsonReader, RoundTrip) {
  const Example example = plain_race();
  CheckReport report = example.report();
  report.setup.clang_flags = {"-DN=3", "-x", "c++"};
  report.setup.entry = "start";
  report.setup.model = "mine.kat";
  report.setup.unroll = 5;
  report.setup.writes_first = false;
  report.setup.prune_futile = false;
  report.setup.undone_updates = false;
  report.setup.merge_peeled_rounds = false;
  report.setup.step_limit = 77;
  report.errors[0].path = {0, 0, 7, 123456789};
  const auto trace = parse_trace(json_report(example.program, report), "t.json", 1);
  ASSERT_TRUE(trace) << trace.problems()[0].message;
  EXPECT_EQ(trace->setup, report.setup);
  EXPECT_EQ(trace->path, report.errors[0].path);
  EXPECT_EQ(trace->kind, "race");
  EXPECT_EQ(trace->file, "race.c");
  EXPECT_EQ(trace->line, 8u);
}

TEST(JsonReader, EveryTruncationIsRefused) {
  const Example example = plain_race();
  const std::string whole = json_report(example.program, example.report());
  for (std::size_t size = 0; size + 2 < whole.size(); ++size)
    EXPECT_FALSE(parse_trace(whole.substr(0, size), "t", 1)) << size;
}

TEST(JsonReader, NoFieldMayHaveTheWrongType) {
  const Example example = plain_race();
  const Json good = Json::parse(json_report(example.program, example.report()));
  const auto refused = [](const Json& json) { return !parse_trace(json.dump(), "t", 1); };
  EXPECT_FALSE(refused(good));
  for (const char* key :
       {"files", "clang_flags", "entry", "model", "unroll", "race_detection", "writes_first", "step_limit"}) {
    Json bad = good;
    bad["replay"][key] = Json::parse(R"([{"x": 1}])");
    EXPECT_TRUE(refused(bad)) << key;
    bad["replay"].erase(key);
    EXPECT_TRUE(refused(bad)) << key;
  }
  for (const char* key : {"kind", "message", "path", "location"}) {
    Json bad = good;
    bad["errors"][0][key] = Json::parse(R"({"file": 3})");
    EXPECT_TRUE(refused(bad)) << key;
  }
  for (const char* key : {"tool", "format", "errors", "replay"}) {
    Json bad = good;
    bad[key] = 99;
    EXPECT_TRUE(refused(bad)) << key;
  }
  EXPECT_FALSE(parse_trace(good.dump(), "t", 2));
  EXPECT_FALSE(parse_trace("[1, 2]", "t", 1));
  EXPECT_FALSE(parse_trace(std::string(200000, '['), "t", 1));
}

TEST(DotReport, NodesAndRelations) {
  const Example example = message_passing(MemoryOrder::relaxed, MemoryOrder::acquire);
  const std::string dot = dot_report(example.program, example.report());
  for (const char* part : {"subgraph cluster_1", "e1_1 [label=\"line 12: writes data = 42 (relaxed)\"]",
                           "e1_1 -> e1_2;", "e1_2 -> e2_1 [label=\"rf\"", "e2_2 -> e1_1 [label=\"fr\""}) {
    EXPECT_NE(dot.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace heddle::report
