import type { Component, Json, JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { canonicalJson, componentId, isObject } from "../../internal/index.ts";
import { changeInWords } from "../../word-diff/index.ts";

/** The components that a run starts from, which its description holds as a hash. */
export interface StartingComponents {
  /** `undefined` if the run ended before they were on file. */
  readonly recorded: readonly Component[] | undefined;
  readonly now: readonly Component[];
}

/**
 * Throws when the run to resume differs from the journal's, and says in words what differs.
 *
 * @param components to say which of them changed, and how
 */
export function checkSameRun(
  recorded: JsonObject,
  now: JsonObject,
  folder: string,
  components?: StartingComponents,
): void {
  const differing = differences(recorded, now, "");
  if (differing.length === 0) return;
  const [before, after] = [engineOf(recorded), engineOf(now)];
  if (before !== undefined && after !== undefined && before !== after) {
    throw new EspalierError({
      code: "journal-mismatch",
      problem: "The run was started by another optimizer, or another version of it",
      where: folder,
      expected: before,
      got: after,
      fix: "Its results can be read as they are. To continue, use the espalier version that started it, or start a new run.",
    });
  }
  const changes = differing.flatMap((each) => sentencesOf(each, components));
  throw new EspalierError({
    code: "journal-mismatch",
    problem: `The run differs from the one to resume: ${[...new Set(changes)].join("; ")}`,
    where: folder,
    fix: "Resume it with its original program, data and options, or start a new run.",
  });
}

/** The optimizer's name and version: another version may decide otherwise from the same journal. */
function engineOf({ optimizer }: JsonObject): string | undefined {
  if (!isObject(optimizer)) return undefined;
  const { name, version } = optimizer;
  return typeof name === "string" && typeof version === "string" ? `${name} ${version}` : undefined;
}

interface Difference {
  readonly path: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

function differences(
  before: Json | undefined,
  after: Json | undefined,
  path: string,
): readonly Difference[] {
  if (isObject(before) && isObject(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      differences(before[key], after[key], path === "" ? key : `${path}.${key}`),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

function sentencesOf(
  { path, before, after }: Difference,
  components: StartingComponents | undefined,
): readonly string[] {
  if (components !== undefined && (path === "program.components" || path === "task.texts")) {
    const changes = componentChanges(components);
    if (changes.length > 0) return changes;
  }
  const predictor = /^program\.signatures\.(.+)\.hash$/.exec(path)?.[1];
  if (predictor !== undefined) return [`the signature of predictor "${predictor}" changed`];
  const option = options[path];
  const what = option === undefined ? `\`${path}\`` : `\`${path}\` (${option})`;
  const isHash = [before, after].some((each) => typeof each === "string" && hash.test(each));
  return [isHash ? `${hashed[path] ?? what} changed` : `${what} ${changeInWords(before, after)}`];
}

const hash = /^[0-9a-f]{64}$/;

/** What is described by a hash, in words. */
const hashed: Readonly<Record<string, string>> = {
  "program.components": "a text, a demonstration or a value of the program",
  "program.parameters": "a declared parameter of the program",
  "trainset.checksum": "the content of the trainset",
  gold: "the study's gold",
  "optimizer.gold": "the study's gold",
  examples: "the choice of examples",
};

/** The command line's name of what it can set. */
const options: Readonly<Record<string, string>> = {
  seed: "--seed",
  prices: "--prices",
  repetitions: "--search-repeats",
  "budget.metricCalls": "--budget",
  "budget.reflectionCalls": "--max-reflections",
  "budget.lmCalls": "--max-lm-calls",
  "budget.toolCalls": "--max-tool-calls",
  "budget.tokens": "--max-tokens",
  "budget.costUsd": "--max-usd",
  "budget.wallTimeMs": "--max-minutes",
  "lm.model": "--model",
  "reflectionLm.model": "--reflection-lm",
  "judgeLm.model": "--judge-lm",
  allowsSideEffects: "--allow-side-effects",
};

const named: Readonly<Record<Component["kind"], string>> = {
  instruction: "the instruction of",
  fieldDescription: "the description of field",
  toolDescription: "the description of tool",
  demos: "the demonstrations of",
  parameter: "the value of parameter",
};

function componentChanges({ recorded = [], now }: StartingComponents): readonly string[] {
  return now.flatMap((component) => {
    const id = componentId(component);
    const before = recorded.find((each) => componentId(each) === id);
    if (before === undefined || canonicalJson(before) === canonicalJson(component)) return [];
    const what = `${named[component.kind]} ${component.path}`;
    if (before.kind === "demos" || component.kind === "demos") return [`${what} changed`];
    return [`${what} ${changeInWords(before.value, component.value)}`];
  });
}
