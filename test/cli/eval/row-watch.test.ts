import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { rowWatch } from "../../../src/cli/eval/row-watch.ts";
import type { LanguageModel, LmCallOptions } from "../../../src/contract/index.ts";
import type { EvaluationEvent } from "../../../src/evaluate/index.ts";
import { modelServer } from "../../support/model-server.ts";
import { runMain } from "../../support/run-main.ts";
import { requestOf } from "../../lm/requests.ts";
import { chatPath } from "../../support/vllm-server.ts";

const towns = "test/cli/fixtures/towns.ts";

/** Looks and durations of this process stand still until the test advances them. */
function holdLooks(): void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

describe("espalier eval", () => {
  it("shows the first replies as they come, with what the rest takes, beside clean JSON", async () => {
    const words = ["eval", towns, "--limit", "5", "--concurrency", "1", "--json"];
    const { stdout, stderr, lines } = await runMain(words);
    const first = lines.filter((line) => /^\S+, \d+\.\d s: /.test(line));
    expect(first).toHaveLength(3);
    for (const line of first) {
      expect(line).toMatch(/^\S+, \d+\.\d s: \{"answer":".*, [01]\.\d{4}; \d+ s left$/);
      expect(stderr).toContain(line);
    }
    expect(first.join("\n")).not.toContain("at most");
    expect(lines.indexOf(first[2] ?? "")).toBeLessThan(
      lines.findIndex((line) => line.startsWith("towns: program answerer")),
    );
    expect(stdout).not.toContain(" left");
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ study: "towns" });
  });

  it("names a row that runs away while it runs, and the call that it is in", async () => {
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let calls = 0;
    await using server = await modelServer("main", {
      before: async () => {
        if (++calls < 5) return;
        arrived.resolve();
        await released.promise;
      },
    });
    holdLooks();
    const words = ["--lm", server.baseUrl, "--cache", "none", "--limit", "4", "--concurrency", "1"];
    const running = runMain(["eval", towns, ...words]);
    await arrived.promise;
    vi.advanceTimersByTime(125_000);
    const said = vi.mocked(console.error).mock.calls.map(([text]) => String(text));
    const named = said.filter((line) => line.startsWith("Row "));
    // Once, and then each time that its time has doubled.
    expect(named).toEqual([
      expect.stringMatching(
        /^Row \S+ has run for 30 s, others came from the cache; in `\w+` for 30 s$/,
      ),
      expect.stringMatching(/^Row \S+ has run for 1 min 0 s, /),
      expect.stringMatching(/^Row \S+ has run for 2 min 0 s, /),
    ]);
    expect(server.requests.filter(({ path }) => path === chatPath)).toHaveLength(5);
    released.resolve();
    const { code, stderr } = await running;
    expect(code).toBe(0);
    expect(stderr).toContain("towns on val: 4/4");
  });
});

describe("a watch", () => {
  it("says so where no row has ended, in one line for all", () => {
    const { watch, said, pass } = watched();
    for (const id of ["e1", "e2", "e3", "e4", "e5"]) watch.onEvent(start(id));
    pass(35_000);
    expect(said()).toEqual([
      "Row e1 has run for 30 s, no row has ended yet; also e2, e3, e4 and 1 more",
    ]);
  });

  it("takes four times the median for too long, and rows from the cache for no measure", () => {
    const { watch, said, pass } = watched();
    for (let index = 0; index < 9; index++) {
      watch.onEvent(start(`cached ${index}`));
      watch.onEvent(end(`cached ${index}`, 99));
    }
    for (let index = 0; index < 5; index++) {
      watch.onEvent(start(`row ${index}`));
      pass(10_000);
      watch.onEvent(end(`row ${index}`, 99));
    }
    watch.onEvent(start("slow"));
    pass(39_000);
    expect(said()).toEqual([]);
    pass(5_000);
    expect(said()).toEqual(["Row slow has run for 40 s, others took about 10 s"]);
  });

  it("does not name rows that wait for one another on a server that takes one at a time", () => {
    const { watch, said, pass } = watched();
    for (let index = 0; index < 16; index++) watch.onEvent(start(`e${index}`));
    for (let index = 0; index < 40; index++) {
      pass(20_000);
      watch.onEvent(end(`e${index}`, 99));
      watch.onEvent(start(`e${index + 16}`));
    }
    expect(said()).toEqual([]);
  });

  it("counts the tokens of an LM that streams, from anew where its reply is begun again", async () => {
    const { watch, said, pass } = watched();
    const heard: LmCallOptions[] = [];
    const lm: LanguageModel = {
      identity: { provider: "test", model: "test" },
      doGenerate: (_request, options = {}) => {
        heard.push(options);
        return new Promise(() => {});
      },
    };
    watch.onEvent(start("e1"));
    const about = { exampleId: "e1", callPath: "hop[2]/answer" };
    void watch.watched(lm, true).doGenerate(requestOf("hi"), about);
    void watch.watched(lm, false).doGenerate(requestOf("hi"), { ...about, callPath: "other" });
    await setImmediate();
    const [streamed, whole] = heard;
    for (let token = 0; token < 5; token++) streamed?.onDelta?.({ content: "a" });
    pass(35_000);
    streamed?.onRestart?.();
    for (let token = 0; token < 1_234; token++) streamed?.onDelta?.({ content: "a" });
    pass(30_000);
    expect(said()).toEqual([
      "Row e1 has run for 30 s, no row has ended yet; in `hop[2]/answer` for 30 s, 5 tokens so far",
      "Row e1 has run for 1 min 0 s, no row has ended yet; in `hop[2]/answer` for 1 min 0 s, 1,234 tokens so far",
    ]);
    expect(whole).toEqual({ exampleId: "e1", callPath: "other" });
  });
});

function watched() {
  holdLooks();
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const watch = rowWatch();
  onTestFinished(() => watch[Symbol.dispose]());
  return {
    watch,
    pass: (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
    said: () => error.mock.calls.map(([text]) => String(text)),
  };
}

const start = (exampleId: string): EvaluationEvent => ({ kind: "example-start", exampleId });

/** @param done beyond the first rows nothing is shown of it */
const end = (exampleId: string, done: number): EvaluationEvent => ({
  kind: "example-end",
  done,
  total: 1_000,
  exampleId,
  score: "scored",
  row: {
    exampleId,
    cluster: exampleId,
    score: { kind: "scored", value: 1 },
    trace: { children: [] } as never,
    latencyMs: 0,
    attempts: 1,
  },
  etaMs: null,
});
