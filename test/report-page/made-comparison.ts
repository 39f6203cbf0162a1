import type { Component, LmCallRecord, PredictorTrace } from "../../src/contract/index.ts";
import { randomSource } from "../../src/internal/index.ts";
import type {
  ComparedCandidate,
  ComparedExample,
  ComparedRun,
  Contrast,
  ReplayedRollout,
  RunComparison,
} from "../../src/report/index.ts";

/** What a made comparison holds; every text and figure of it is made up. */
export interface Making {
  /** Candidates of each run. */
  readonly candidates: number;
  readonly examples: number;
  readonly runs?: number;
  /** Replayed runs of the seed and the best, for this many examples. */
  readonly rollouts?: number;
  /** Stands for a text that whoever made the run wrote: in instructions, inputs, names, replies. */
  readonly text?: string;
}

const seedInstruction =
  "Read the question and the passages. Answer the question in one short sentence. Use only what the passages say, and name the passage that says it. If the question asks for several things, answer each of them in the order in which it asks. Keep names as the passages write them, and leave out what nobody asked for.";
const lessons = [
  "If two passages disagree, prefer the one with the later date.",
  "Write numbers as digits.",
  "When no passage answers the question, say so and do not guess.",
  "Ask for the full name of a place before its short one.",
];

/** A comparison without a journal behind it, for tests of the page. */
export function madeComparison({
  candidates,
  examples: exampleCount,
  runs: runCount = 1,
  rollouts = 3,
  text = "Which river runs past the mill of Ostrel?",
}: Making): RunComparison {
  const examples = Array.from({ length: exampleCount }, (_, index): ComparedExample => ({
    id: `town-${index}`,
    split: "val",
    cluster: `talk-${Math.floor(index / 4)}`,
    input: { question: `${text} (${index})`, turn: index % 4 },
    labels: { answer: `The Lirn, by entry ${index}.`, sources: [`p${index}`] },
  }));
  const runs = Array.from({ length: runCount }, (_, seed) =>
    madeRun({ seed, candidates, exampleCount, text }),
  );
  const [first] = runs;
  if (first === undefined) throw new Error("A comparison holds at least one run.");
  const winner = {
    name: `${first.key}, candidate ${first.best}`,
    members: membersOf(first, "best"),
  };
  const baseline = { name: "the seed program", members: membersOf(first, "seed") };
  return {
    format: "espalier-comparison/1",
    headline: {
      kind: "seed",
      isRehearsal: false,
      winner,
      baseline,
      split: "val",
      metric: "recall@10",
      value: 0.641,
      baselineValue: 0.599,
      difference: 0.042,
      examples: exampleCount,
      clusters: exampleCount,
      better: 41,
      worse: 17,
      interval: { low: 0.011, high: 0.073 },
      verdict: "better",
      words: {
        verdict: "better than the program it started from",
        reason: "decided by both: the interval excludes zero, and p is at most 0.05",
        help: null,
        isIntervalTooNarrow: false,
      },
      metricCalls: 2_480,
      tokens: 1_240_310,
      costUsd: 0.372,
      lead: `A gain: on val, candidate ${first.best} of ${first.key} is better than the program it started from: 0.641 against 0.599 recall@10.`,
      sentence: `A gain: on val, candidate ${first.best} of ${first.key} is better than the program it started from: 0.641 against 0.599 recall@10. The difference is 0.042 (95 % interval 0.011 to 0.073). Decided by both: the interval excludes zero, and p is at most 0.05. It took 2,480 metric calls.`,
    },
    sources: runs,
    examples,
    strata: [
      {
        label: "turn",
        groups: ["0", "1", "2", "3"],
        of: examples.map((_, index) => index % 4),
      },
      {
        label: "collection",
        groups: ["harbour", "hills"],
        of: examples.map((_, index) => (index % 3 === 0 ? [0, 1] : index % 2)),
      },
    ],
    groups: [
      {
        name: "gepa",
        sources: runs.map(({ key }) => key),
        seeds: runs.map(({ seed }) => seed),
        figures: [
          {
            figure: "val",
            values: [0.641, 0.633],
            mean: 0.637,
            interval: { low: 0.586, high: 0.688 },
          },
          { figure: "metricCalls", values: [2480, 2480], mean: 2480, interval: null },
        ],
      },
    ],
    contrasts: runs.map((run, index): Contrast => ({
      kind: "seed",
      baseline: { name: `${run.key}, seed`, members: membersOf(run, "seed") },
      other: { name: `${run.key}, candidate ${run.best}`, members: membersOf(run, "best") },
      split: "val",
      isSelected: true,
      difference: 0.042 - index / 50,
      interval: { low: 0.011 - index / 50, high: 0.073 - index / 50 },
      pValue: 0.008,
      verdict: index === 0 ? "better" : "undecided",
      examples: exampleCount,
      clusters: Math.ceil(exampleCount / 4),
      better: 41,
      worse: 17,
      equal: exampleCount - 58,
      strata: ["0", "1", "2", "3"].map((group, turn) => ({
        label: "turn",
        group,
        baseline: 0.6,
        other: 0.6 + (turn - 1) / 50,
        difference: (turn - 1) / 50,
        interval: { low: (turn - 1) / 50 - 0.03, high: (turn - 1) / 50 + 0.03 },
        pValue: 0.2,
        examples: Math.floor(exampleCount / 4),
        clusters: Math.floor(exampleCount / 4),
        better: 8,
        worse: 4,
      })),
    })),
    rollouts: Array.from({ length: rollouts }, (_, index) =>
      membersOf(first, "seed")
        .concat(membersOf(first, "best"))
        .map((member): ReplayedRollout => madeRollout({ ...member, example: index }, text)),
    ).flat(),
    notes: ["Every text and figure of this page is made up, for a test of the page."],
  };
}

function membersOf({ key, best }: ComparedRun, which: "seed" | "best") {
  return [{ source: key, candidate: which === "seed" ? 0 : (best ?? 0) }];
}

function madeRun({
  seed,
  candidates: count,
  exampleCount,
  text,
}: {
  readonly seed: number;
  readonly candidates: number;
  readonly exampleCount: number;
  readonly text: string;
}): ComparedRun {
  const random = randomSource(seed, "made-comparison");
  const components: Component[] = [
    { kind: "instruction", path: "answer", value: seedInstruction },
    { kind: "parameter", path: "k", value: 5 },
    {
      kind: "demos",
      path: "answer",
      value: [
        { exampleId: "town-x", inputs: { question: text }, outputs: { answer: "The Lirn." } },
      ],
    },
  ];
  const candidates: ComparedCandidate[] = [];
  for (let id = 0; id < count; id += 1) {
    const parent = id === 0 ? undefined : Math.max(0, id - 1 - random.below(Math.min(id, 6)));
    const quality = 0.55 + 0.1 * (id / count) + random.random() / 20;
    if (id > 0) {
      const lesson = `${lessons[id % lessons.length]} (${id})`;
      components.push({
        kind: "instruction",
        path: "answer",
        value: `${seedInstruction} ${lesson} ${id % 5 === 0 ? text : ""}`,
      });
    }
    const values = Array.from(
      { length: exampleCount },
      () => Math.round(30 * Math.min(1, quality + (random.random() - 0.5) / 2)) / 30,
    );
    candidates.push({
      id,
      parents: parent === undefined ? [] : id % 9 === 0 && parent > 0 ? [parent, 0] : [parent],
      iteration: id * 2,
      changed: id === 0 ? [] : ["instruction:answer"],
      components: [id === 0 ? 0 : id + 2, 1, 2],
      measures: [
        {
          name: "quality",
          value: quality,
          better: "higher",
          interval: { low: quality - 0.03, high: quality + 0.03 },
        },
        { name: "promptTokens", value: 400 + random.below(900), better: "lower", interval: null },
        { name: "latencyMs", value: 200 + random.below(500), better: "lower", interval: null },
      ],
      scores: {
        val: {
          places: { from: 0, count: exampleCount },
          values,
        },
      },
      acceptance: {
        by: id === 0 ? "seed" : "paired",
        detail: id === 0 ? "the program as written" : "better than its parent on the minibatch",
      },
      ...(id > 0 && { gate: { examples: [0, 1, 2], parentSum: 1.5, childSum: 2.1 } }),
      metricCallsBefore: id * 5,
    });
  }
  const best = candidates.reduce((top, one) => (qualityOf(one) > qualityOf(top) ? one : top)).id;
  return {
    kind: "run",
    key: `notes-${seed}`,
    path: `runs/notes-${seed}`,
    subject: {
      program: { name: "town-answers", version: "1" },
      objective: { name: "recall@10", version: "1" },
      lm: text.length < 100 ? "made-up-8b" : text.slice(0, 100),
    },
    mocks: [],
    isRehearsal: false,
    components,
    candidates,
    best,
    optimizer: { name: "gepa", version: "1" },
    seed,
    budget: { metricCalls: 2480 },
    description: {},
    end: { reason: "budget" },
    iterations: count * 2,
    searches: [{ name: "reflection", version: "1", why: "the program has texts to write" }],
    front: [0, best],
    curve: candidates.flatMap((candidate) => [
      {
        metricCalls: candidate.metricCallsBefore + 2,
        iteration: candidate.iteration,
        split: "train" as const,
        candidate: candidate.id,
        value: random.random(),
        examples: 3,
        reused: 0,
      },
      {
        metricCalls: candidate.metricCallsBefore + 5,
        iteration: candidate.iteration,
        split: "val" as const,
        candidate: candidate.id,
        value: qualityOf(candidate),
        examples: exampleCount,
        reused: 2,
      },
    ]),
    refused: [
      {
        iteration: 3,
        parents: [0],
        components: ["instruction:answer"],
        reason: "not-better",
        detail: "1.2 against 1.5 on the minibatch",
        texts: { "instruction:answer": text },
      },
    ],
    skipped: [{ iteration: 5, parent: 0, reason: "all-perfect" }],
    disputes: [],
    spending: {
      spent: { metricCalls: 2480, reflectionCalls: 60, lmCalls: 5200, tokens: 1_240_310 },
      used: {},
      billed: {},
      costUsd: 0.372,
      elapsedMs: 754_000,
    },
    test: [],
  };
}

function qualityOf({ measures }: ComparedCandidate): number {
  return measures[0]?.value ?? 0;
}

function madeRollout(
  of: Pick<ReplayedRollout, "source" | "candidate" | "example">,
  text: string,
): ReplayedRollout {
  const call: LmCallRecord = {
    messages: [
      { role: "system", content: seedInstruction },
      { role: "user", content: `Question: ${text}` },
    ],
    seed: 1,
    rawText: `{"answer":${JSON.stringify(text)}}`,
    reasoning: null,
    finishReason: "stop",
    usage: {
      promptTokens: 310,
      completionTokens: 24,
      cachedPromptTokens: null,
      reasoningTokens: null,
    },
    startMs: 4,
    retries: 0,
    latencyMs: 212,
    source: "server",
  };
  const answer: PredictorTrace = {
    kind: "predictor",
    path: "hop[0]/answer",
    predictor: "answer",
    signature: "answer",
    inputs: { question: text, passages: [text] },
    outputs: { answer: text },
    calls: [call],
    startMs: 4,
    latencyMs: 213,
  };
  return {
    ...of,
    score: "scored",
    value: 0.5,
    feedback: `Names the river, not the passage. ${text}`,
    output: { answer: text },
    trace: {
      program: "town-answers",
      version: "1",
      input: { question: text },
      output: { answer: text },
      notes: {},
      children: [
        {
          kind: "scope",
          path: "hop[0]",
          startMs: 0,
          children: [
            {
              kind: "retrieval",
              path: "hop[0]/search",
              retriever: "bm25",
              query: text,
              k: 5,
              results: [{ id: "p1", score: 7.25 }],
              startMs: 0,
              latencyMs: 3,
            },
            answer,
          ],
        },
      ],
      startedAtMs: 0,
      latencyMs: 220,
    },
  };
}
