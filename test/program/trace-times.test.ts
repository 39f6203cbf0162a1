import { describe, expect, it } from "vitest";
import type { Trace, TraceNode } from "espalier";
import { predict, program, signature, text } from "espalier";
import { connect } from "espalier/lm";
import { scriptedLm } from "../support/scripted-lm.ts";

const answer = signature({
  name: "answer",
  instruction: "Answer.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});

const twoHops = program({
  name: "two-hops",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer") },
  predictors: { answer: predict(answer) },
  forward: async ({ question }, call) => {
    await call.at("hop", 1).predictors.answer({ question });
    return call.at("hop", 2).predictors.answer({ question });
  },
});

const good = '{"answer":"Yes."}';

async function traced(
  run: Parameters<typeof twoHops.attempt>[1] extends infer T ? Partial<T> : never,
) {
  await using server = await scriptedLm((_, index) => (index === 1 ? { status: 503 } : good));
  await using lm = connect({
    baseUrl: server.url,
    model: "scripted",
    retry: { attempts: 3, baseDelayMs: 1 },
  });
  return (await twoHops.attempt({ question: "Why?" }, { lm, ...run })).trace;
}

interface Timed {
  readonly path: string;
  readonly startMs: number;
  readonly endMs: number;
}

const timesOf = (nodes: readonly TraceNode[]): readonly Timed[] =>
  nodes.flatMap((node) => {
    const { path, startMs } = node;
    if (node.kind === "scope")
      return [{ path, startMs, endMs: startMs }, ...timesOf(node.children)];
    const calls = (node.calls ?? []).map((call) => ({
      path: `${path}!`,
      startMs: call.startMs,
      endMs: call.startMs + call.latencyMs,
    }));
    return [{ path, startMs, endMs: startMs + node.latencyMs }, ...calls];
  });

describe("the times of a trace", () => {
  it("put each part after what it waited for, and inside of the whole", async () => {
    const before = Date.now();
    const trace = await traced({});
    expect(trace.startedAtMs).toBeGreaterThanOrEqual(before);
    expect(trace.startedAtMs).toBeLessThanOrEqual(Date.now());
    const times = timesOf(trace.children);
    expect(times.map(({ path }) => path)).toEqual([
      "hop[1]",
      "hop[1]/answer",
      "hop[1]/answer!",
      "hop[2]",
      "hop[2]/answer",
      "hop[2]/answer!",
    ]);
    const [, first, firstCall, second, , secondCall] = times as [
      Timed,
      Timed,
      Timed,
      Timed,
      Timed,
      Timed,
    ];
    expect(firstCall.startMs).toBeGreaterThanOrEqual(first.startMs);
    expect(firstCall.endMs).toBeLessThanOrEqual(first.endMs);
    expect(second.startMs).toBeGreaterThanOrEqual(first.endMs);
    expect(secondCall.endMs).toBeLessThanOrEqual(trace.latencyMs);
  });

  it("come from the clock of the run", async () => {
    let ticks = 5_000;
    const clock = { now: () => ticks++, epochMs: () => 1_790_000_000_000 };
    const trace = await traced({ clock });
    expect(trace.startedAtMs).toBe(1_790_000_000_000);
    expect(timesOf(trace.children).map(({ startMs }) => startMs)).toEqual([1, 2, 3, 6, 7, 8]);
    expect(trace.latencyMs).toBe(11);
  });

  it("say how often a call was sent again", async () => {
    const callsIn = ({ children }: Pick<Trace, "children">) =>
      children
        .flatMap((hop) => (hop.kind === "scope" ? hop.children : []))
        .flatMap((node) =>
          node.kind === "predictor"
            ? node.calls.map(({ retries, source }) => ({ retries, source }))
            : [],
        );
    expect(callsIn(await traced({}))).toEqual([
      { retries: 0, source: "server" },
      { retries: 1, source: "server" },
    ]);
  });
});
