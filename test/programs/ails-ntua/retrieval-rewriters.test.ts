import { describe, expect, it } from "vitest";
import type { Turn } from "espalier";
import type { CorpusName } from "../../../programs/ails-ntua/index.ts";
import { ailsRetrieval } from "../../../programs/ails-ntua/index.ts";
import { callsOf, fixedRetriever } from "../notes-guided/parts.ts";
import type { RewriterName, RewriterScript } from "./scripted-rewriters.ts";
import { rewritten, scriptedRewriters } from "./scripted-rewriters.ts";

const question = "And when was it finished?";
/** Eight turns of each speaker, the assistant's after the user's. */
const history: readonly Turn[] = Array.from({ length: 16 }, (_, index) => ({
  speaker: index % 2 === 0 ? "user" : "assistant",
  text: `${index % 2 === 0 ? "asked" : "told"} ${Math.floor(index / 2) + 1}`,
}));

/** What each rewriter was given, what was searched for under each strategy, and the notes. */
async function rewrites(
  script: RewriterScript,
  given: { readonly corpus?: CorpusName; readonly history?: readonly Turn[] } = {},
) {
  await using server = await scriptedRewriters(script);
  const retrieval = ailsRetrieval({ sparse: fixedRetriever("bm25", [{ id: "a", text: "a" }]) });
  const input = { question, history, corpus: "clapnq" as const, ...given };
  const { state, trace } = await retrieval.attempt(input, { lm: server.lm });
  expect(state).toBe("completed");
  const calls = callsOf(trace);
  return {
    notes: trace.notes,
    received: server.received,
    inputs: Object.fromEntries(
      calls.flatMap((call) => (call.kind === "predictor" ? [[call.predictor, call.inputs]] : [])),
    ),
    queries: Object.fromEntries(
      calls.flatMap(({ path, ...call }) =>
        call.kind === "retrieval" ? [[path.slice("bm25[".length, -1), call.query]] : [],
      ),
    ),
  };
}

/** The turns that a rewriter read, in one line. */
const turns = (inputs: unknown) =>
  (inputs as { readonly history: readonly Turn[] }).history.map(({ text }) => text).join(", ");

describe("the rewriters", () => {
  it("make five queries of a question", async () => {
    const { queries, notes } = await rewrites({});
    expect(queries).toEqual({
      minimal: "iron footbridge minimal",
      corpusSpecific: "iron footbridge encyclopedia",
      chainOfThought: "iron footbridge by steps",
      hypothetical:
        "When was the footbridge finished? The footbridge of Ostrel was finished in 1902.",
      anchorKeyword: "footbridge of Ostrel finished Ostrel finished year",
    });
    expect(notes).toEqual({});
  });

  it("leave the first question of a conversation as it is, without a call", async () => {
    const { queries, received } = await rewrites({}, { history: [] });
    expect(queries).toEqual({ minimal: question });
    expect(received).toEqual([]);
  });

  // Table 28 of the paper and the authors' code.
  it("read the last six turns of the user, and three of the assistant", async () => {
    const { inputs } = await rewrites({});
    const window = "asked 3, asked 4, asked 5, asked 6, told 6, asked 7, told 7, asked 8, told 8";
    expect(turns(inputs["rewriteMinimally"])).toBe(window);
    expect(turns(inputs["rewriteForEncyclopedia"])).toBe(window);
    expect(turns(inputs["rewriteStepByStep"])).toBe(window);
    expect(turns(inputs["writeHypotheticalPassage"])).toBe(window);
    expect(turns(inputs["rewriteWithKeywords"])).toBe(
      "asked 3, asked 4, asked 5, asked 6, asked 7, asked 8, told 8",
    );
  });

  it("read the user alone for the finance forum", async () => {
    const { inputs } = await rewrites({}, { corpus: "fiqa" });
    expect(turns(inputs["rewriteForFinanceForum"])).toBe(
      "asked 3, asked 4, asked 5, asked 6, asked 7, asked 8",
    );
  });

  it.each<[CorpusName, string]>([
    ["clapnq", "encyclopedia"],
    ["fiqa", "forum"],
    ["govt", "agency"],
    ["cloud", "documentation"],
    ["other", "encyclopedia"],
  ])("rewrite in the manner of the collection: %s", async (corpus, manner) => {
    const { queries, inputs } = await rewrites({}, { corpus });
    expect(queries["corpusSpecific"]).toBe(`iron footbridge ${manner}`);
    expect(Object.keys(inputs).filter((name) => name.startsWith("rewriteFor"))).toHaveLength(1);
  });

  it("ask as the authors did: greedily, for 400 to 800 tokens", async () => {
    const { received } = await rewrites({});
    const asked = received.map(({ response_format: format, ...request }) => [
      format?.json_schema.name,
      request["temperature"],
      request["max_completion_tokens"],
    ]);
    expect(asked.toSorted()).toEqual([
      ["rewrite-for-encyclopedia", 0, 400],
      ["rewrite-minimally", 0, 400],
      ["rewrite-step-by-step", 0, 600],
      ["rewrite-with-keywords", 0, 450],
      ["write-hypothetical-passage", 0, 800],
    ]);
  });

  it("ask as they are told to", async () => {
    await using server = await scriptedRewriters();
    const sparse = fixedRetriever("bm25", []);
    const retrieval = ailsRetrieval({ sparse, sampling: { temperature: 0.6 } });
    await retrieval.run({ question, history, corpus: "govt" }, { lm: server.lm });
    expect(server.received.map((request) => request["temperature"])).toEqual(Array(5).fill(0.6));
    expect(server.asked("rewrite-step-by-step")).toMatchObject([{ max_completion_tokens: 600 }]);
  });

  it("may each have an LM of its own", async () => {
    await using server = await scriptedRewriters();
    await using other = await scriptedRewriters({
      "rewrite-minimally": () => rewritten("asked elsewhere"),
    });
    const retrieval = ailsRetrieval({ sparse: fixedRetriever("bm25", []) });
    const lms = { rewriteMinimally: other.lm };
    const { trace } = await retrieval.attempt(
      { question, history, corpus: "clapnq" },
      { lm: server.lm, lms },
    );
    expect(other.received).toHaveLength(1);
    expect(server.received).toHaveLength(4);
    expect(callsOf(trace)).toContainEqual(
      expect.objectContaining({ path: "bm25[minimal]", query: "asked elsewhere" }),
    );
  });
});

describe("a rewriter that fails", () => {
  const strategyOf = {
    "rewrite-minimally": "minimal",
    "rewrite-for-encyclopedia": "corpusSpecific",
    "rewrite-step-by-step": "chainOfThought",
    "write-hypothetical-passage": "hypothetical",
    "rewrite-with-keywords": "anchorKeyword",
  } as const;
  const failing = Object.entries(strategyOf) as [keyof typeof strategyOf & RewriterName, string][];

  it.each(failing)("by what is no JSON leaves the question: %s", async (name, strategy) => {
    const { queries, notes, received } = await rewrites({ [name]: () => "I cannot do that." });
    expect(queries[strategy]).toBe(question);
    expect(Object.keys(queries)).toHaveLength(5);
    // Each is asked once: what cannot be parsed is not corrected.
    expect(received).toHaveLength(5);
    expect(notes).toEqual({
      [`${strategy}-failed`]: expect.stringContaining("not a JSON object") as string,
    });
  });

  it.each(failing)("by a fault of the server leaves the question: %s", async (name, strategy) => {
    const broken = () => ({ status: 500, body: "out of memory" });
    const { queries, notes } = await rewrites({ [name]: broken });
    expect(queries[strategy]).toBe(question);
    expect(notes).toEqual({ [`${strategy}-failed`]: expect.stringMatching(/500/) as string });
  });

  it.each(failing)("by a missing field leaves the question: %s", async (name, strategy) => {
    const { queries } = await rewrites({ [name]: () => `{"kind":"standalone"}` });
    expect(queries[strategy]).toBe(question);
  });

  it.each<[keyof typeof strategyOf, object]>([
    ["rewrite-minimally", { kind: "standalone", rewritten: " \n" }],
    ["rewrite-for-encyclopedia", { kind: "standalone", rewritten: "" }],
    ["rewrite-step-by-step", { reasoning: "?", kind: "standalone", rewritten: "" }],
    ["write-hypothetical-passage", { standalone: "", passage: "" }],
    ["rewrite-with-keywords", { kind: "standalone", rewritten: "", anchors: [], keywords: [] }],
  ])("by saying nothing leaves the question: %s", async (name, said) => {
    const { queries, notes } = await rewrites({ [name]: () => JSON.stringify(said) });
    expect(queries[strategyOf[name]] ?? queries["minimal"]).toBe(question);
    expect(notes).toEqual({});
  });

  it("by a blank rewrite leaves the question beside its terms", async () => {
    const said = { kind: "standalone", rewritten: " ", anchors: ["Ostrel"], keywords: ["year"] };
    const { queries } = await rewrites({ "rewrite-with-keywords": () => JSON.stringify(said) });
    expect(queries["anchorKeyword"]).toBe(`${question} Ostrel year`);
  });

  it("by refused credentials fails the run", async () => {
    await using server = await scriptedRewriters({
      "rewrite-minimally": () => ({ status: 401, body: "who are you?" }),
    });
    const retrieval = ailsRetrieval({ sparse: fixedRetriever("bm25", []) });
    const attempt = await retrieval.attempt(
      { question, history, corpus: "clapnq" },
      { lm: server.lm },
    );
    expect(attempt).toMatchObject({ state: "failed", failure: { code: "lm-unauthorized" } });
  });

  it("all of them: the question is searched once", async () => {
    const broken = () => ({ status: 500, body: "out of memory" });
    const script = Object.fromEntries(failing.map(([name]) => [name, broken]));
    const { queries, notes } = await rewrites(script);
    expect(queries).toEqual({ minimal: question });
    expect(Object.keys(notes)).toHaveLength(5);
  });

  it("by an abort ends the program", async () => {
    const controller = new AbortController();
    await using server = await scriptedRewriters({
      "rewrite-step-by-step": () => {
        controller.abort();
        return { isUnanswered: true };
      },
    });
    const retrieval = ailsRetrieval({ sparse: fixedRetriever("bm25", []) });
    const attempt = await retrieval.attempt(
      { question, history, corpus: "clapnq" },
      { lm: server.lm, signal: controller.signal },
    );
    expect(attempt).toMatchObject({ state: "failed", failure: { kind: "aborted" } });
    expect(attempt.trace.notes).toEqual({});
  });
});

describe("the anchor-keyword query", () => {
  const query = async (anchors: readonly string[], keywords: readonly string[], base = "base") => {
    const said = { kind: "standalone", rewritten: base, anchors, keywords };
    const { queries } = await rewrites({ "rewrite-with-keywords": () => JSON.stringify(said) });
    return queries["anchorKeyword"];
  };
  const numbered = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${index + 1}`);

  it("has 8 anchors and 12 keywords at most", async () => {
    const [anchors, keywords] = [numbered("a", 10), numbered("k", 15)];
    expect(await query(anchors, keywords)).toBe(
      ["base", ...anchors.slice(0, 8), ...keywords.slice(0, 12)].join(" "),
    );
  });

  it("takes of terms that differ by case, white space or quotes the first, in each list", async () => {
    expect(
      await query(
        ['IBM  "Cloud"', "ibm cloud", "", "`IBM` cloud", "DB2 "],
        ["DB2", " db2", "fast"],
      ),
    ).toBe('base IBM "Cloud" DB2 DB2 fast');
  });

  it("counts the caps after repeated terms are gone", async () => {
    const anchors = ["a1", "A1", ...numbered("a", 9)];
    expect(await query(anchors, [])).toBe(["base", ...numbered("a", 8)].join(" "));
  });

  it("is cut after 28 words", async () => {
    const base = numbered("w", 26).join(" ");
    expect(await query(["one two", "three"], ["four"], base)).toBe(`${base} one two`);
    expect(await query([], [], numbered("w", 30).join(" "))).toBe(numbered("w", 28).join(" "));
  });
});
