import { appendFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ExampleTrace } from "../../src/tracked/example-trace.ts";
import { keptTraces } from "../../src/tracked/kept-traces.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

const trace = (latencyMs: number): ExampleTrace => ({
  startedAtMs: 1,
  latencyMs,
  failed: false,
  spans: [],
  outputs: "grün",
});

describe.each([
  ["in a file", true],
  ["in memory", false],
])("traces that are kept %s", (_where, isFile) => {
  const path = isFile ? join(folder.path, "traces.jsonl") : undefined;

  it("are the first of each candidate and example", () => {
    using traces = keptTraces({ path });
    traces.add("a", "x", () => trace(1));
    traces.add("a", "x", () => trace(2));
    traces.add("b", "x", () => trace(3));
    expect(traces.of("a", "x")).toEqual(trace(1));
    expect(traces.of("b", "x")).toEqual(trace(3));
    expect(traces.of("b", "y")).toBeUndefined();
    expect(traces.anyOf("x")).toEqual(trace(1));
    expect(traces.countOf("a")).toBe(1);
  });

  it("take no more room than they are given", () => {
    const other = isFile ? join(folder.path, "small.jsonl") : undefined;
    using traces = keptTraces({ path: other, maxBytes: 150 });
    for (const example of ["x", "y", "z"]) traces.add("a", example, () => trace(1));
    expect(traces.countOf("a")).toBe(2);
  });
});

describe("traces in a file", () => {
  it("outlast a kill that tore the last line", async () => {
    const path = join(folder.path, "torn.jsonl");
    {
      using traces = keptTraces({ path });
      traces.add("a", "x", () => trace(1));
    }
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await appendFile(path, '{"candidate":"a","exam');
    using traces = keptTraces({ path });
    traces.add("a", "y", () => trace(2));
    expect(traces.of("a", "x")).toEqual(trace(1));
    expect(traces.of("a", "y")).toEqual(trace(2));
    traces.flush();
    expect((await readFile(path, "utf8")).split("\n")).toHaveLength(3);
  });

  it("are none where there is no file to read", () => {
    using traces = keptTraces({ path: join(folder.path, "nothing.jsonl"), isReadOnly: true });
    expect(traces.anyOf("x")).toBeUndefined();
  });
});
