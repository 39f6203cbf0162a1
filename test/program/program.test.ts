import { describe, expect, it } from "vitest";
import { z } from "zod";
import type {
  Candidate,
  Parameters as ProgramParameters,
  Retriever,
  Trace,
  TraceNode,
} from "espalier";
import {
  choice,
  int,
  passages,
  predict,
  program,
  rankedPassages,
  real,
  reason,
  signature,
  text,
} from "espalier";
import type { ReceivedRequest } from "../support/scripted-lm.ts";
import { scriptedLm } from "../support/scripted-lm.ts";

const generateQuery = signature({
  name: "generate-query",
  instruction: "Write a search query.",
  input: { question: text("question"), hop: z.int() },
  output: { query: text("query") },
});
const answer = signature({
  name: "answer",
  instruction: "Answer the question.",
  input: { question: text("question"), passages: passages() },
  output: { answer: text("answer") },
});

const library: Retriever = {
  name: "library",
  version: "1",
  doRetrieve: ({ query, k }) =>
    Promise.resolve(
      Array.from({ length: k }, (_, rank) => ({
        id: `${query}-${rank}`,
        text: query,
        score: 1 / (rank + 1),
      })),
    ),
};

const hopping = program({
  name: "hopping",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer") },
  predictors: { generateQuery: predict(generateQuery), answer: reason(answer) },
  parameters: {
    hops: int({ default: 2, min: 1, max: 4 }),
    weight: real({ default: 0.5, min: 0, max: 1 }),
    mode: choice(["sequential", "parallel"]),
  },
  forward: async ({ question }, { predictors, parameters, at, note, retrieve }) => {
    const hop = async (index: number) => {
      const step = at("hop", index);
      const { query } = await step.predictors.generateQuery({ question, hop: index });
      return step.retrieve(library, { query, k: 2 });
    };
    const indices = Array.from({ length: parameters.hops }, (_, index) => index + 1);
    const found = [];
    if (parameters.mode === "parallel") found.push(...(await Promise.all(indices.map(hop))));
    else for (const index of indices) found.push(await hop(index));
    note("found", found.flat().length);
    await retrieve(library, { query: question, k: 1 });
    return predictors.answer({ question, passages: found.flat() });
  },
});

const replies = (request: ReceivedRequest): string => {
  const user = request.messages.at(-1)?.content ?? "";
  return request.response_format?.json_schema.name === "generate-query"
    ? JSON.stringify({ query: `query ${/Hop: (\d)/.exec(user)?.[1]}` })
    : JSON.stringify({ reasoning: "So.", answer: `to ${/Question: (.*)/.exec(user)?.[1]}` });
};

const paths = (nodes: readonly TraceNode[]): string[] =>
  nodes.flatMap((node) =>
    node.kind === "scope" ? [node.path, ...paths(node.children)] : [node.path],
  );

describe("a program", () => {
  it("may have no predictor, and then asks no LM", async () => {
    const searching = program({
      name: "searching",
      version: "1",
      input: { question: text("question") },
      output: { passages: rankedPassages() },
      predictors: {},
      forward: async ({ question }, { retrieve }) => ({
        passages: await retrieve(library, { query: question, k: 1 }),
      }),
    });
    await using server = await scriptedLm(replies);
    const output = await searching.run({ question: "why?" }, { lm: server.lm });
    expect(output.passages.map(({ id }) => id)).toEqual(["why?-0"]);
    expect(server.received).toEqual([]);
  });

  it("records what it did as a tree of calls with their paths", async () => {
    await using server = await scriptedLm(replies);
    const { state, trace } = await hopping.attempt({ question: "why?" }, { lm: server.lm });
    expect(state).toBe("completed");
    expect(paths(trace.children)).toEqual([
      "hop[1]",
      "hop[1]/generateQuery",
      "hop[1]/library",
      "hop[2]",
      "hop[2]/generateQuery",
      "hop[2]/library",
      "library",
      "answer",
    ]);
    expect(trace.notes).toEqual({ found: 4 });
    expect(trace.output).toEqual({ answer: "to why?" });
    const [first] = trace.children;
    expect(first).toMatchObject({
      kind: "scope",
      children: [
        {
          kind: "predictor",
          predictor: "generateQuery",
          inputs: { question: "why?", hop: 1 },
          outputs: { query: "query 1" },
          calls: [
            { rawText: '{"query":"query 1"}', usage: { promptTokens: 10 }, source: "server" },
          ],
        },
        {
          kind: "retrieval",
          query: "query 1",
          k: 2,
          results: [
            { id: "query 1-0", score: 1 },
            { id: "query 1-1", score: 0.5 },
          ],
        },
      ],
    });
  });

  it("gives calls the same paths and seeds whatever order they end in", async () => {
    const runs: { seeds: Record<string, number>; paths: string[] }[] = [];
    for (const slowHop of ["1", "4"]) {
      await using server = await scriptedLm(async (request) => {
        const content = replies(request);
        return { content, delayMs: content.includes(`query ${slowHop}`) ? 40 : 0 };
      });
      const parallel = hopping.with([
        { kind: "parameter", path: "mode", value: "parallel" },
        { kind: "parameter", path: "hops", value: 4 },
      ]);
      const { trace } = await parallel.attempt({ question: "why?" }, { lm: server.lm });
      runs.push({ seeds: seedsOf(trace), paths: paths(trace.children).toSorted() });
    }
    expect(Object.keys(runs[0]?.seeds ?? {})).toHaveLength(5);
    expect(runs[1]).toEqual(runs[0]);
  });

  it("refuses a second call at the same path and says how to tell them apart", async () => {
    await using server = await scriptedLm(replies);
    const careless = program({
      ...hopping,
      name: "careless",
      forward: async ({ question }, { predictors }) => {
        await predictors.answer({ question, passages: [] });
        return predictors.answer({ question, passages: [] });
      },
    });
    await expect(
      careless.run({ question: "why?" }, { lm: server.lm }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[EspalierError: Two calls claim the path "answer". Expected: one call for each path in one run. Give the second call a key, \`predictor(inputs, { key: 2 })\`, or make it in a scope, \`call.at("hop", 2)\`.]`,
    );
  });

  it("refuses names that would make a path ambiguous, and numbers of passages that make no sense", async () => {
    await using server = await scriptedLm(replies);
    const doing = (name: string, forward: Parameters<typeof program>[0]["forward"]) =>
      program({ ...hopping, name, forward: forward as never }).run(
        { question: "q" },
        { lm: server.lm },
      );
    await expect(
      doing("same-scope", async (_, call) => {
        call.at("answer", 1);
        return (call.predictors["answer"] as never as (...given: unknown[]) => Promise<never>)(
          { question: "q", passages: [] },
          { key: 1 },
        );
      }),
    ).rejects.toThrow(/Two calls claim the path "answer\[1\]"/);
    await expect(
      doing("slash", async (_, call) => call.at("a/b", 1) as never),
    ).rejects.toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining("cannot be used in a call path"),
    });
    for (const k of [0, Number.NaN, 1.5]) {
      await expect(
        doing(
          "no-k",
          async (_, { retrieve }) => (await retrieve(library, { query: "q", k })) as never,
        ),
      ).rejects.toThrow(/number of passages/);
    }
  });

  it("takes no more passages than it asked for", async () => {
    await using server = await scriptedLm(replies);
    const generous: Retriever = {
      name: library.name,
      version: library.version,
      doRetrieve: (request) => library.doRetrieve({ ...request, k: 9 }, {}),
    };
    const taking = program({
      ...hopping,
      name: "taking",
      forward: async ({ question }, { retrieve }) => ({
        answer: String((await retrieve(generous, { query: question, k: 2 })).length),
      }),
    });
    expect(await taking.run({ question: "q" }, { lm: server.lm })).toEqual({ answer: "2" });
  });

  it("tells calls apart by key", async () => {
    await using server = await scriptedLm(replies);
    const careful = program({
      ...hopping,
      name: "careful",
      forward: async ({ question }, { predictors }) => {
        const [first] = await Promise.all(
          ["a", "b"].map((key) => predictors.answer({ question, passages: [] }, { key })),
        );
        return { answer: first?.answer ?? "" };
      },
    });
    const { trace } = await careful.attempt({ question: "why?" }, { lm: server.lm });
    expect(paths(trace.children)).toEqual(["answer[a]", "answer[b]"]);
  });

  it("keeps 300 concurrent runs of different candidates apart", async () => {
    await using server = await scriptedLm(async (request) => {
      const marker = /MARK-\d+/.exec(request.messages[0]?.content ?? "")?.[0] ?? "none";
      const question = /Question: (.*)/.exec(request.messages.at(-1)?.content ?? "")?.[1];
      const delayMs = (Number(question?.slice(1)) * 7) % 23;
      const content =
        request.response_format?.json_schema.name === "generate-query"
          ? JSON.stringify({ query: `${marker} ${question}` })
          : JSON.stringify({ reasoning: marker, answer: `${marker} ${question}` });
      return { content, delayMs };
    });
    const runs = Array.from({ length: 300 }, async (_, index) => {
      const bound = hopping.with([
        { kind: "instruction", path: "generateQuery", value: `MARK-${index} for queries.` },
        { kind: "instruction", path: "answer", value: `MARK-${index} for answers.` },
        { kind: "parameter", path: "hops", value: 1 + (index % 4) },
      ]);
      const { trace } = await bound.attempt({ question: `q${index}` }, { lm: server.lm });
      return { index, trace };
    });
    for (const { index, trace } of await Promise.all(runs)) {
      expect(trace.output).toEqual({ answer: `MARK-${index} q${index}` });
      expect(paths(trace.children)).toHaveLength(3 * (1 + (index % 4)) + 2);
      const queries = flat(trace.children).filter(
        (node) => node.kind === "retrieval" && node.k === 2,
      );
      expect(queries.map((node) => node.kind === "retrieval" && node.query)).toEqual(
        Array.from({ length: 1 + (index % 4) }, () => `MARK-${index} q${index}`),
      );
    }
    expect(hopping.parameterValues.hops).toBe(2);
    expect(hopping.predictors.answer.instruction).toBe("Answer the question.");
  });

  it("turns what its own code throws into an error that says where", async () => {
    const broken = program({
      ...hopping,
      name: "broken",
      forward: async () => {
        throw new TypeError("x is not a function");
      },
    });
    await using server = await scriptedLm(replies);
    const attempt = await broken.attempt({ question: "q" }, { lm: server.lm, exampleId: "e7" });
    expect(attempt).toMatchObject({
      state: "failed",
      failure: { kind: "program", code: "program-failed" },
    });
    expect(attempt.state === "failed" && attempt.failure.message).toMatchInlineSnapshot(
      `"The program's own code threw TypeError: x is not a function (at program "broken", example "e7")."`,
    );
  });

  it("goes on after a call that failed, with the failure in its trace", async () => {
    await using server = await scriptedLm((request) =>
      request.response_format?.json_schema.name === "generate-query"
        ? "nonsense"
        : replies(request),
    );
    const tolerant = program({
      ...hopping,
      name: "tolerant",
      forward: async ({ question }, { predictors }) => {
        await predictors.generateQuery({ question, hop: 1 }).catch(() => undefined);
        return predictors.answer({ question, passages: [] });
      },
    });
    const { state, trace } = await tolerant.attempt({ question: "q" }, { lm: server.lm });
    expect(state).toBe("completed");
    expect(trace.children[0]).toMatchObject({
      path: "generateQuery",
      failure: { kind: "format", code: "output-unparseable" },
      calls: [{ rawText: "nonsense" }, { rawText: "nonsense" }],
    });
  });

  it("is aborted by its caller, and aborts the calls it leaves behind", async () => {
    await using server = await scriptedLm(() => ({ isUnanswered: true }));
    const controller = new AbortController();
    const running = hopping.attempt(
      { question: "q" },
      { lm: server.lm, signal: controller.signal },
    );
    await expect.poll(() => server.received.length).toBe(1);
    controller.abort();
    expect(await running).toMatchObject({
      state: "failed",
      failure: { kind: "aborted", code: "aborted" },
    });

    const leaving = program({
      ...hopping,
      name: "leaving",
      forward: (_, { predictors }) => {
        void predictors.answer({ question: "q", passages: [] }).catch(() => undefined);
        return Promise.resolve({ answer: "early" });
      },
    });
    expect(await leaving.run({ question: "q" }, { lm: server.lm })).toEqual({ answer: "early" });
  });

  it("refuses an input that does not fit, and an output that was not promised", async () => {
    await using server = await scriptedLm(replies);
    const input = { question: 3 } as never;
    await expect(hopping.run(input, { lm: server.lm })).rejects.toThrowErrorMatchingInlineSnapshot(
      `[EspalierError: The input does not match its fields: \`question\`: expected string, received number (at program "hopping").]`,
    );
    const lying = program({
      ...hopping,
      name: "lying",
      forward: () => Promise.resolve({} as never),
    });
    await expect(
      lying.run({ question: "q" }, { lm: server.lm }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[EspalierError: The program's output does not match its fields: \`answer\` is missing (expected: string) (at program "lying").]`,
    );
    expect(server.received).toHaveLength(0);
  });

  it("uses another LM for a predictor when told", async () => {
    await using ordinary = await scriptedLm(replies);
    await using special = await scriptedLm(replies);
    await hopping.run({ question: "q" }, { lm: ordinary.lm, lms: { answer: special.lm } });
    expect([ordinary.received.length, special.received.length]).toEqual([2, 1]);
  });

  it("renders a predictor's prompt without a call", () => {
    const messages = hopping.render("generateQuery", { question: "why?", hop: 2 });
    expect(messages.at(-1)).toEqual({ role: "user", content: "Question: why?\n\nHop: 2\n" });
    expect(() => hopping.render("nobody" as never, {})).toThrowErrorMatchingInlineSnapshot(
      `[EspalierError: The program "hopping" has no predictor "nobody". Expected: one of "generateQuery", "answer".]`,
    );
  });
});

describe("components", () => {
  it("list every text and number with its value", () => {
    const shown = hopping
      .components()
      .map(({ kind, path, value }) => `${kind} ${path} = ${JSON.stringify(value)}`);
    expect(shown).toMatchInlineSnapshot(`
      [
        "instruction generateQuery = "Write a search query."",
        "demos generateQuery = []",
        "fieldDescription generateQuery.question = """,
        "fieldDescription generateQuery.hop = """,
        "fieldDescription generateQuery.query = """,
        "instruction answer = "Answer the question."",
        "demos answer = []",
        "fieldDescription answer.question = """,
        "fieldDescription answer.passages = "Passages that were retrieved, numbered."",
        "fieldDescription answer.reasoning = "Step by step thinking that leads to the other fields, in at most 100 words."",
        "fieldDescription answer.answer = """,
        "parameter hops = 2",
        "parameter weight = 0.5",
        "parameter mode = "sequential"",
      ]
    `);
  });

  it("round-trip: a program with its own components is the same program", () => {
    const again = hopping.with(hopping.components());
    expect(again.components()).toEqual(hopping.components());
    const inputs = { question: "q", hop: 1 };
    expect(again.render("generateQuery", inputs)).toEqual(hopping.render("generateQuery", inputs));
  });

  it("leave the program they were applied to as it was", () => {
    const changed = hopping.with([
      { kind: "instruction", path: "answer", value: "Say yes." },
      { kind: "fieldDescription", path: "answer.question", value: "The wish." },
      {
        kind: "demos",
        path: "answer",
        value: [{ exampleId: "t1", inputs: { question: "q" }, outputs: { answer: "a" } }],
      },
    ]);
    expect(changed.render("answer", { question: "q", passages: [] })[0]?.content).toContain(
      "Say yes.",
    );
    expect(changed.render("answer", { question: "q", passages: [] })).toHaveLength(4);
    expect(hopping.render("answer", { question: "q", passages: [] })).toHaveLength(2);
  });

  it.each<[string, Candidate]>([
    ["an unknown predictor", [{ kind: "instruction", path: "nobody", value: "x" }]],
    ["an unknown field", [{ kind: "fieldDescription", path: "answer.nothing", value: "x" }]],
    [
      "a field description without a field",
      [{ kind: "fieldDescription", path: "answer", value: "x" }],
    ],
    ["an empty instruction", [{ kind: "instruction", path: "answer", value: " " }]],
    ["an unknown parameter", [{ kind: "parameter", path: "hop", value: 3 }]],
    ["a parameter out of range", [{ kind: "parameter", path: "hops", value: 9 }]],
    ["a fraction where a whole number is asked", [{ kind: "parameter", path: "hops", value: 1.5 }]],
    ["a word where a number is asked", [{ kind: "parameter", path: "weight", value: "much" }]],
    ["an unknown choice", [{ kind: "parameter", path: "mode", value: "sideways" }]],
    [
      "a component twice",
      [
        { kind: "parameter", path: "hops", value: 1 },
        { kind: "parameter", path: "hops", value: 2 },
      ],
    ],
  ])("refuse %s", (_, candidate) => {
    expect(() => hopping.with(candidate)).toThrowErrorMatchingSnapshot();
  });

  it.each([
    ["a default outside its range", () => int({ default: 9, min: 1, max: 5 })],
    ["a fractional whole number", () => int({ default: 1.5, min: 1, max: 5 })],
    ["a log scale from zero", () => real({ default: 1, min: 0, max: 5, isLogScale: true })],
  ])("refuse to declare %s", (_, declare) => {
    expect(declare).toThrowErrorMatchingSnapshot();
  });
});

describe("when a parameter matters", () => {
  const share = { default: 0.5, min: 0, max: 1 };
  const declared = (parameters: ProgramParameters) =>
    program({
      name: "searching",
      version: "1",
      input: { question: text("question") },
      output: { answer: text("answer") },
      predictors: { answer: predict(answer) },
      parameters,
      forward: async ({ question }, { predictors }) =>
        predictors.answer({ question, passages: [] }),
    });

  it("is kept with the parameter, unchangeable", () => {
    const when = { mode: "hybrid", hops: 2 };
    const { parameters } = declared({
      mode: choice(["lexical", "hybrid"]),
      hops: int({ default: 1, min: 1, max: 4 }),
      weight: real({ ...share, when }),
      fusion: choice(["rrf", "linear"], { when }),
    });
    when.mode = "lexical";
    for (const name of ["weight", "fusion"]) {
      expect(parameters[name]?.when).toEqual({ mode: "hybrid", hops: 2 });
      expect(Object.isFrozen(parameters[name]?.when)).toBe(true);
    }
    expect(parameters["mode"]).not.toHaveProperty("when");
  });

  it.each<[string, ProgramParameters]>([
    ["what is no parameter", { weight: real({ ...share, when: { mode: "hybrid" } }) }],
    [
      "a parameter declared after it",
      { weight: real({ ...share, when: { mode: "b" } }), mode: choice(["a", "b"]) },
    ],
    ["itself", { mode: choice(["a", "b"], { when: { mode: "b" } }) }],
    ["a real number", { share: real(share), weight: real({ ...share, when: { share: 0.5 } }) }],
    [
      "a value that the other cannot take",
      { mode: choice(["a", "b"]), weight: real({ ...share, when: { mode: "c" } }) },
    ],
  ])("cannot hang on %s", (_, parameters) => {
    expect(() => declared(parameters)).toThrowErrorMatchingSnapshot();
  });
});

function flat(nodes: readonly TraceNode[]): TraceNode[] {
  return nodes.flatMap((node) => (node.kind === "scope" ? flat(node.children) : [node]));
}

function seedsOf(trace: Trace): Record<string, number> {
  return Object.fromEntries(
    flat(trace.children).flatMap((node) =>
      node.kind === "predictor" ? [[node.path, node.calls[0]?.seed ?? -1]] : [],
    ),
  );
}
