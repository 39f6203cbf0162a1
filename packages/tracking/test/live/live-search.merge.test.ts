import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { mlflow, otlp } from "../../src/index.ts";
import type { SearchListener } from "../../src/index.ts";
import { runPlaces } from "../../../../test/optimizer/support/run-places.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { collector } from "../../../../test/support/otlp-collector.ts";
import { decisionsIn } from "../../../../test/support/journal.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

const budget = { metricCalls: 60 };

async function searchWith(
  name: string,
  listener?: Pick<SearchListener, "onEvent" | "onRun">,
): Promise<string> {
  const runFolder = join(folder.path, name);
  await runPlaces({ budget, runFolder, ...listener });
  return decisionsIn(runFolder);
}

describe("a search that is tracked", () => {
  it.each<[what: string, answer: () => number | null]>([
    ["answers 500", () => 500],
    ["never answers", () => null],
    ["refuses everything", () => 403],
  ])("is the same, byte for byte, where the server %s", async (_what, answer) => {
    await using server = await collector(answer);
    const runFolder = join(folder.path, `with ${_what}`);
    const listener = mlflow({ url: server.url, hasContents: true }).search({ runFolder });
    const plain = await searchWith(`without ${_what}`);
    const tracked = await searchWith(`with ${_what}`, listener);
    // A comparison of such long texts would take minutes to show.
    expect(tracked === plain).toBe(true);
    listener.finish();
    await expect.poll(() => server.received.length).toBeGreaterThan(0);
    const { isComplete } = await listener.end(50);
    expect(isComplete).toBe(false);
    const traces = await readFile(join(runFolder, "traces.jsonl"), "utf8");
    expect(traces.split("\n").length).toBeGreaterThan(10);
  });

  it("is not disturbed where its folder cannot keep traces", async () => {
    const file = join(folder.path, "a file");
    await writeFile(file, "");
    const tracker = mlflow({ url: "http://127.0.0.1:9" });
    const listener = tracker.search({ runFolder: join(file, "run") });
    await expect(searchWith("no folder", listener)).resolves.toContain("run-end");
    expect(await listener.end(50)).toMatchObject({ isComplete: false });
  });

  it("gives a trace of each run to an OTLP endpoint, in the names of its conventions", async () => {
    await using server = await collector();
    const headers = { "x-team": "pruners" };
    const listener = otlp({ url: server.url, headers }).search();
    await searchWith("otlp", listener);
    expect(await listener.end(60_000)).toEqual({ isComplete: true });
    expect(server.received.every(({ headers: sent }) => sent["x-team"] === "pruners")).toBe(true);
    expect(
      server.received.every(({ headers: sent }) => sent["content-type"] === "application/json"),
    ).toBe(true);
    const spans = server.spans();
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(roots.length);
    expect(roots.length).toBeGreaterThan(20);
    const splits = new Set(roots.map(({ attributes }) => attributes["espalier.split"]));
    expect(splits).toEqual(new Set(["train", "val"]));
    for (const { traceId, parentSpanId } of spans) {
      if (parentSpanId === undefined) continue;
      expect(spans.some((span) => span.traceId === traceId && span.spanId === parentSpanId)).toBe(
        true,
      );
    }
    const call = spans.find(({ name }) => name === "chat rehearsal");
    expect(call).toMatchObject({
      kind: 3,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "rehearsal",
        "gen_ai.request.model": "rehearsal",
        "gen_ai.usage.input_tokens": expect.any(Number),
        "gen_ai.usage.output_tokens": expect.any(Number),
        "gen_ai.response.finish_reasons": ["stop"],
      },
    });
    expect(roots[0]?.events).toContainEqual(
      expect.objectContaining({
        name: "gen_ai.evaluation.result",
        attributes: {
          "gen_ai.evaluation.name": "found-place",
          "gen_ai.evaluation.score.value": expect.any(Number),
        },
      }),
    );
    expect(JSON.stringify(spans)).not.toContain("mlflow.");
    expect(JSON.stringify(spans)).not.toContain("Write a search query");
  });

  it("gives messages to an OTLP endpoint that is to have them", async () => {
    await using server = await collector();
    const listener = otlp({ url: server.url, hasContents: true }).search();
    await searchWith("otlp with contents", listener);
    await listener.end(60_000);
    const spans = server.spans();
    const call = spans.find(({ name }) => name === "chat rehearsal");
    const read = (name: string): unknown => JSON.parse(call?.attributes[name] as string);
    expect(read("gen_ai.input.messages")).toContainEqual({
      role: "system",
      parts: [{ type: "text", content: expect.stringContaining("Write a search query") }],
    });
    expect(read("gen_ai.output.messages")).toEqual([
      {
        role: "assistant",
        parts: [{ type: "text", content: expect.any(String) }],
        finish_reason: "stop",
      },
    ]);
    const retrieval = spans.find(
      ({ attributes }) => attributes["gen_ai.operation.name"] === "retrieval",
    );
    expect(retrieval?.attributes["gen_ai.retrieval.query.text"]).toEqual(expect.any(String));
  });
});
