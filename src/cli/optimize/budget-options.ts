import { z } from "zod";
import { EspalierError } from "../../errors/index.ts";
import type { Budget, PriceTable } from "../../optimizer/index.ts";
import type { NumberRule } from "../arguments/arguments.ts";
import { finiteNumber, minutesInMs, wholeNumber } from "../arguments/arguments.ts";
import type { budgetArguments } from "../arguments/shared-arguments.ts";
import { readInput } from "../arguments/read-input.ts";

type Given = Readonly<{ [Option in keyof typeof budgetArguments]?: string | undefined }>;

/**
 * Combines the study's budget with the caps from the command line.
 *
 * @param valSize number of examples that select candidates
 * @throws EspalierError `usage-invalid` if there is no cap at all and the optimizer does not stop
 *   by itself
 */
export function budgetOf(
  given: Given,
  {
    budget: own,
    endsByItself = false,
  }: { readonly budget?: Budget; readonly endsByItself?: boolean },
  valSize: number,
): Budget {
  const count = (option: keyof typeof budgetArguments): number | undefined => {
    const value = given[option];
    return value === undefined ? undefined : wholeNumber(option, value, 1);
  };
  const amount = (
    option: keyof typeof budgetArguments,
    parse: typeof finiteNumber,
  ): number | undefined => {
    const value = given[option];
    return value === undefined ? undefined : parse(option, value, aboveZero);
  };
  const caps = {
    metricCalls: given.budget === undefined ? undefined : metricCallsOf(given.budget, valSize),
    reflectionCalls: count("max-reflections"),
    lmCalls: count("max-lm-calls"),
    toolCalls: count("max-tool-calls"),
    tokens: count("max-tokens"),
    costUsd: amount("max-usd", finiteNumber),
    wallTimeMs: amount("max-minutes", minutesInMs),
  };
  const givenCaps = Object.fromEntries(Object.entries(caps).filter(([, cap]) => cap !== undefined));
  const budget: Budget = { ...own, ...givenCaps };
  if (Object.keys(budget).length > 0 || endsByItself) return budget;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "A run needs a budget, and the study's optimizer has none",
    expected:
      "one of --budget, --max-reflections, --max-lm-calls, --max-tool-calls, --max-tokens, --max-usd, --max-minutes",
    fix: "Add --budget N, the number of scored program runs; --plan shows what it allows",
  });
}

const aboveZero: NumberRule = {
  accepts: (value) => value > 0,
  expected: "a number greater than 0",
};

const price = z.strictObject({
  promptUsdPerMillion: z.number().min(0),
  completionUsdPerMillion: z.number().min(0),
});
const priceFile = z.strictObject({
  student: price.optional(),
  reflection: price.optional(),
  judge: price.optional(),
  reranking: price.optional(),
  teacher: price.optional(),
});

const wantedPrices = {
  name: "price file",
  expected:
    '{ "student": { "promptUsdPerMillion": 1, "completionUsdPerMillion": 4 }, "reflection": { ... } }',
  fix: "Give US dollars per million tokens, at least 0, for each role; `judge` and `reranking` default to `student`",
};

/** @throws EspalierError `file-missing`, `file-malformed` */
export async function readPrices(path: string | undefined): Promise<PriceTable | undefined> {
  if (path === undefined) return undefined;
  const given = await readInput(`@${path}`, wantedPrices);
  const parsed = priceFile.safeParse(given);
  if (parsed.success) return parsed.data as PriceTable;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join(".") ?? "";
  throw new EspalierError({
    code: "file-malformed",
    problem: `The price file is invalid: ${place === "" ? "" : `${place}: `}${issue?.message ?? ""}`,
    where: path,
    expected: wantedPrices.expected,
    got: JSON.stringify(valueAt(given, issue?.path ?? [])) ?? "nothing",
    fix: wantedPrices.fix,
  });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (held, key) =>
      typeof held === "object" && held !== null
        ? (held as Readonly<Record<PropertyKey, unknown>>)[key]
        : undefined,
    value,
  );
}

/**
 * How many evaluations on all of val each named budget covers: `small` shows whether scores move at
 * all, `medium` compares studies, `large` produces a program to use.
 */
const evaluationsOf: ReadonlyMap<string, number> = new Map([
  ["small", 5],
  ["medium", 15],
  ["large", 40],
]);

/** Parses `--budget`: a number of metric calls, or a named size that scales with val. */
export function metricCallsOf(given: string, valSize: number): number {
  const evaluations = evaluationsOf.get(given);
  if (evaluations !== undefined) return evaluations * valSize;
  return wholeNumber("budget", given, 1, `, or one of ${[...evaluationsOf.keys()].join(", ")}`);
}
