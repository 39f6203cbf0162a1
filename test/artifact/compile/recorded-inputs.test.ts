import { describe, expect, it } from "vitest";
import type { JsonObject, PredictorTrace, Trace, TraceNode } from "espalier";
import { recordedInputs } from "espalier/artifact";

describe("recorded inputs", () => {
  it("are the first calls of the first traces, then their second calls", () => {
    const traces = [
      trace([call("ask[0]", { n: 1 }), call("ask[1]", { n: 2 })]),
      trace([call("ask[0]", { n: 3 }), call("ask[1]", { n: 4 })]),
    ];
    expect(recordedInputs(traces, 3)).toEqual({ ask: [{ n: 1 }, { n: 3 }, { n: 2 }] });
    expect(recordedInputs(traces, 1)).toEqual({ ask: [{ n: 1 }] });
  });

  it("are three unless told otherwise, or as many as there are", () => {
    const traces = [1, 2, 3, 4].map((n) => trace([call("ask", { n })]));
    expect(recordedInputs(traces)).toEqual({ ask: [{ n: 1 }, { n: 2 }, { n: 3 }] });
    expect(recordedInputs(traces.slice(0, 2))).toEqual({ ask: [{ n: 1 }, { n: 2 }] });
    expect(recordedInputs([])).toEqual({});
  });

  it("differ from each other, whatever the order of their keys", () => {
    const traces = [
      trace([call("ask", { a: 1, b: 2 })]),
      trace([call("ask", { b: 2, a: 1 })]),
      trace([call("ask", { a: 1, b: 3 })]),
    ];
    expect(recordedInputs(traces)).toEqual({
      ask: [
        { a: 1, b: 2 },
        { a: 1, b: 3 },
      ],
    });
  });

  it("are found in scopes, and do not depend on which call started first", () => {
    const [one, two] = [call("hop[1]/ask", { n: 1 }), call("hop[2]/ask", { n: 2 })];
    const scope = (path: string, children: readonly TraceNode[]): TraceNode => ({
      kind: "scope",
      path,
      startMs: 0,
      children,
    });
    const inOrder = trace([scope("hop[1]", [one]), scope("hop[2]", [two])]);
    const overtaken = trace([scope("hop[2]", [two]), scope("hop[1]", [one])]);
    expect(recordedInputs([overtaken])).toEqual(recordedInputs([inOrder]));
    expect(recordedInputs([inOrder])).toEqual({ ask: [{ n: 1 }, { n: 2 }] });
  });

  it("leave out calls that never came to a prompt", () => {
    const refused = { ...call("ask[0]", { n: "not a number" }), calls: [] };
    expect(recordedInputs([trace([refused, call("ask[1]", { n: 1 })])])).toEqual({
      ask: [{ n: 1 }],
    });
  });
});

function call(path: string, inputs: JsonObject): PredictorTrace {
  const predictor = /(\w+)(\[\d+\])?$/.exec(path)?.[1] ?? "";
  const sent = {
    messages: [],
    seed: 0,
    rawText: "{}",
    reasoning: null,
    finishReason: "stop",
    usage: null,
    startMs: 0,
    latencyMs: 0,
    retries: 0,
    source: "server",
  } as const;
  return {
    kind: "predictor",
    path,
    predictor,
    signature: "ask",
    inputs,
    calls: [sent],
    startMs: 0,
    latencyMs: 0,
  };
}

function trace(children: readonly TraceNode[]): Trace {
  return {
    program: "p",
    version: "1",
    input: {},
    notes: {},
    children,
    startedAtMs: 0,
    latencyMs: 0,
  };
}
