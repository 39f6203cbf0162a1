import { expect, test } from "vitest";
import { missingShards, shardsOf } from "../../trainsets/multi-hop/shards.ts";

test.each([
  [["a/nq-dev-00.jsonl", "a/nq-dev-01.jsonl", "a/nq-train-00.jsonl", "b/nq-dev-02.jsonl"], 2],
  [["a/nq-dev-00.jsonl.gz", "a/nq-dev-00.jsonl", "a/nq-dev-01.jsonl.gz"], 2],
  [["a/dev-00000-of-00002.jsonl", "a/dev-00001-of-00002.jsonl"], 2],
  [["a/dev-v1.1.json", "a/dev-v2.0.json"], 1],
  [["a/dev-100.jsonl", "a/dev-500.jsonl"], 1],
  [["a/dev.jsonl", "a/dev-01.jsonl"], 1],
])("of %j, the first is one of %i shards", (paths, count) => {
  expect(shardsOf(paths[0] ?? "", paths)).toHaveLength(count);
});

test("counts what is missing between the first and the last", () => {
  expect(missingShards(["nq-dev-00.jsonl", "nq-dev-01.jsonl"])).toBe(0);
  expect(missingShards(["nq-dev-01.jsonl", "nq-dev-04.jsonl"])).toBe(2);
  expect(missingShards(["dev.jsonl"])).toBe(0);
});
