import { describe, expect, it } from "vitest";
import type {
  OptimizerEvent,
  OptimizerProgress,
  TextOptimizationResult,
  TextTask,
} from "espalier/optimizer";
import type { GepaOptions } from "espalier/optimizer";
import {
  bestPassed,
  customProposer,
  epochMinibatches,
  gepa,
  optimizeTexts,
  parentsTimesProposals,
  roundRobin,
} from "espalier/optimizer";
import { thrownBy } from "../../support/thrown-by.ts";
import { compiledPart, runPlaces } from "../support/run-places.ts";

/**
 * s run-start, i iteration-start, I iteration-end, e and v candidate-evaluated on train and val,
 * b budget-spent, c inheritance-kept, d inheritance-ended, f candidate-confirmed, k skipped, p proposed, r refused, a accepted, x run-end.
 */
const letters: Readonly<Record<OptimizerEvent["kind"], string>> = {
  "run-start": "s",
  "iteration-start": "i",
  "iteration-end": "I",
  "candidate-evaluated": "",
  "inheritance-kept": "c",
  "inheritance-ended": "d",
  "proposal-skipped": "k",
  "candidate-proposed": "p",
  "candidate-refused": "r",
  "candidate-accepted": "a",
  "candidate-confirmed": "f",
  "budget-spent": "b",
  "run-end": "x",
};

function lettersOf(events: readonly OptimizerEvent[]): string {
  return events
    .map((event) =>
      event.kind === "candidate-evaluated"
        ? event.split === "val"
          ? "v"
          : "e"
        : letters[event.kind],
    )
    .join("");
}

const [onTrain, onVal] = ["(?:e+b(?:b{0,2}c)*(?:b{0,2}d)?)", "(?:v+b(?:b{0,2}c)*(?:b{0,2}d)?)"];
/** What the doc of `OptimizerEvent` says, as a pattern. */
const reflection = `${onTrain}*k*(?:b+[rp]*${onTrain}*r*${onVal}*(?:${onTrain}?[ra])*)?`;
const merge = `p(?:r|${onVal}(?:r|${onVal}[ra]))`;
const whole = new RegExp(`^s${onVal}a(?:i(?:${merge}|${reflection})(?:vbf){0,3}I)*`);

/** What a cap left of the last iteration. */
const ending = /^(?:i[^iIs]*)?x$/;

/** The rest after the last whole iteration. */
function restOf(events: readonly OptimizerEvent[]): string {
  const told = lettersOf(events);
  const matched = whole.exec(told)?.[0];
  expect(matched).toBeDefined();
  return told.slice(matched?.length);
}

const settings: readonly [string, GepaOptions][] = [
  ["the defaults", {}],
  ["a minibatch that must show first", { gateAbove: 0 }],
  [
    "plain GEPA",
    {
      minibatch: epochMinibatches(),
      component: roundRobin(),
      gateAbove: 0,
      inheritance: "candidate",
    },
  ],
  [
    "several proposals at a time, of which the best stays",
    {
      proposals: parentsTimesProposals({ parents: 2, proposals: 2 }),
      gateAbove: 0,
      selection: bestPassed(),
    },
  ],
];

describe("behaviour 4: events come in the documented order, iterations are numbered from 1", () => {
  it.each(settings)("of a program, with %s", async (_, options) => {
    const { events } = await runPlaces({
      optimizer: gepa(options),
      budget: { metricCalls: 150 },
    });
    expect(restOf(events)).toMatch(ending);
    expectNumbers(events);
    expect(events.some(({ kind }) => kind === "candidate-accepted")).toBe(true);
  });

  it.each(settings)("of texts, with %s", async (_, options) => {
    const { events } = await runKeywords(options);
    expect(restOf(events)).toMatch(ending);
    expectNumbers(events);
    expect(events.filter(({ kind }) => kind === "candidate-accepted").length).toBeGreaterThan(2);
  });

  it("and a cap that ends a step within ends the run there, without iteration-end", async () => {
    const caps = Array.from({ length: 10 }, (_, place) => 30_000 + 2_500 * place);
    const rests = await Promise.all(
      caps.map(async (tokens) => restOf((await runPlaces({ budget: { tokens } })).events)),
    );
    for (const rest of rests) expect(rest).toMatch(ending);
    expect(rests.some((rest) => rest.length > 1)).toBe(true);
  });
});

function expectNumbers(events: readonly OptimizerEvent[]): void {
  const numbersOf = (kind: "iteration-start" | "iteration-end"): readonly number[] =>
    events.flatMap((event) => (event.kind === kind ? [event.iteration] : []));
  const started = numbersOf("iteration-start");
  expect(started.length).toBeGreaterThan(0);
  expect(started).toEqual(started.map((_, place) => place + 1));
  const ended = numbersOf("iteration-end");
  expect(ended).toEqual(started.slice(0, ended.length));
  expect(started.length - ended.length).toBeLessThanOrEqual(1);
  const accepted = events.flatMap((event) =>
    event.kind === "candidate-accepted" ? [event.candidate] : [],
  );
  expect(accepted).toEqual(accepted.map((_, place) => place));
  let current = 0;
  for (const event of events) {
    if (event.kind === "iteration-start") current = event.iteration;
    const { iteration = current } = event as { readonly iteration?: number };
    expect(iteration).toBe(current);
  }
}

describe("behaviour 1: the ledger is what was really asked for, and each event is the one before plus what came", () => {
  it.each(settings)("for a program, with %s", async (_, options) => {
    const { events, result, seen } = await runPlaces({
      optimizer: gepa(options),
      budget: { metricCalls: 150 },
    });
    expectLedger(events);
    expect(result.spent.metricCalls).toBe(seen.rollouts);
    // A request that was answered before is a call, and is not sent again.
    const { logical, billed } = result.ledger.total;
    expect(result.spent.lmCalls).toBe(logical.calls);
    expect(seen.calls).toBe(billed.calls);
    expect(billed.calls).toBeLessThanOrEqual(logical.calls);
    expect(lastSpent(events)).toEqual(result.spent);
  });

  it.each(settings)("for texts, with %s", async (_, options) => {
    const { events, result, seen } = await runKeywords(options);
    expectLedger(events);
    expect(result.spent).toMatchObject({
      metricCalls: seen.evaluated,
      reflectionCalls: seen.asked,
    });
    expect(lastSpent(events)).toEqual(result.spent);
  });
});

function lastSpent(events: readonly OptimizerEvent[]): object {
  const last = events.findLast(({ kind }) => kind === "budget-spent");
  const {
    kind: _kind,
    iteration: _iteration,
    ...spent
  } = last as OptimizerEvent &
    object & {
      iteration: number;
    };
  return spent;
}

function expectLedger(events: readonly OptimizerEvent[]): void {
  let before = { metricCalls: 0, reflectionCalls: 0, lmCalls: 0, tokens: 0 };
  let run = 0;
  for (const event of events) {
    if (event.kind === "candidate-evaluated") {
      run += Object.keys(event.scores).length - event.inherited;
    }
    if (event.kind !== "budget-spent") continue;
    expect(event.metricCalls).toBe(before.metricCalls + run);
    // An evaluation or texts, never both at once.
    const texts = event.reflectionCalls - before.reflectionCalls;
    expect(run === 0 || texts === 0).toBe(true);
    for (const unit of ["reflectionCalls", "lmCalls", "tokens"] as const) {
      expect(event[unit]).toBeGreaterThanOrEqual(before[unit]);
    }
    before = event;
    run = 0;
  }
  expect(run).toBe(0);
}

describe("behaviour 21: a listener that fails", () => {
  it.each<[string, (event: OptimizerEvent | OptimizerProgress) => unknown]>([
    [
      "by throwing",
      () => {
        throw new Error("the screen is off");
      },
    ],
    ["by rejecting", async () => Promise.reject(new Error("the screen is off"))],
  ])("%s does not stop the run, and is counted", async (_, onEvent) => {
    const undisturbed = await runPlaces({ budget: { metricCalls: 60 } });
    const disturbed = await runPlaces({
      budget: { metricCalls: 60 },
      onEvent,
    });
    expect(compiledPart(disturbed)).toEqual(compiledPart(undisturbed));
    expect(disturbed.events).toEqual(undisturbed.events);
    expect(undisturbed.result.listenerFailures).toBeUndefined();
    const { count, first } = disturbed.result.listenerFailures ?? { count: 0, first: "" };
    expect(first).toContain("the screen is off");
    expect(count).toBeGreaterThanOrEqual(disturbed.events.length - 1);
  });

  it("differs from a program that fails, which always ends the run", async () => {
    const task = { ...countedTask(() => {}), evaluate: () => ({ score: Number.NaN }) };
    const error = await thrownBy(() =>
      optimizeTexts(task, { optimizer: gepa(), budget: { metricCalls: 60 } }),
    );
    expect(error.code).toBe("metric-failed");
  });
});

interface KeywordsRun {
  readonly result: TextOptimizationResult;
  readonly events: readonly OptimizerEvent[];
  readonly seen: { readonly evaluated: number; readonly asked: number };
}

/** Two texts that want keywords, one asked for at a time, and a writer that adds what it is told. */
async function runKeywords(options: GepaOptions): Promise<KeywordsRun> {
  const events: OptimizerEvent[] = [];
  const seen = { evaluated: 0, asked: 0 };
  const proposer = customProposer("adds", ({ component, cases }) => {
    seen.asked++;
    const wanted = cases.flatMap(({ feedback }) => /ADD (\w+)/.exec(feedback)?.[1] ?? []);
    const word = wanted.find((one) => !component.value.includes(one)) ?? "nothing";
    return `${component.value} ${word}`;
  });
  const result = await optimizeTexts(
    countedTask(() => seen.evaluated++),
    {
      optimizer: gepa({ ...options, proposer }),
      budget: { metricCalls: 200 },
      onEvent: (event) => {
        if (event.kind !== "progress") events.push(event);
      },
    },
  );
  return { result, events, seen };
}

function countedTask(onEvaluated: () => void): TextTask<{ text: string; words: string[] }> {
  const examples = (split: string) =>
    Object.fromEntries(
      Array.from({ length: 20 }, (_, place) => {
        const text = place % 2 === 0 ? "first" : "second";
        const words = [0, 1, 2].map((step) => `${text}${(place * (step + 1)) % 7}`);
        return [`${split}-${place}`, { text, words }] as const;
      }),
    );
  return {
    name: "keywords",
    version: "1",
    texts: { first: "Say:", second: "Write:" },
    train: examples("train"),
    val: examples("val"),
    evaluate: (texts, { text, words }) => {
      onEvaluated();
      const missing = words.filter((word) => !(texts[text] ?? "").includes(word));
      return {
        score: 1 - missing.length / words.length,
        ran: [text],
        ...(missing.length > 0 && { feedback: { [text]: `ADD ${missing[0]}` } }),
      };
    },
  };
}
