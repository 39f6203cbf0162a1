import type { Example, SplitName, Trainset } from "../contract/index.ts";
import { splitNames } from "../contract/index.ts";
import { EspalierError, messageOf } from "../errors/index.ts";
import { contentHash, deepFreeze, joinNames, sha256 } from "../internal/index.ts";

export interface TrainsetDefinition<TInput, TLabels> {
  readonly name: string;
  /** For rows that change. @default none */
  readonly version?: string | undefined;
  /** SPDX identifier or a sentence: what a reader must know before sharing rows. @default none */
  readonly licence?: string | undefined;
  /** Origin of the rows: URL and commit, or "own writing". @default none */
  readonly source?: string | undefined;
  /** Labels of every example that hold text, by which samples are stratified. @default none */
  readonly strata?: readonly string[];
  /** An omitted split is empty. */
  readonly splits: Readonly<Partial<Record<SplitName, readonly Example<TInput, TLabels>[]>>>;
}

/**
 * Examples in fixed splits. Inputs and labels are plain JSON and are frozen in place, so that no
 * program can change what later programs see.
 *
 * Throws an `EspalierError` with code `dataset-invalid` when an id occurs twice in any splits, when
 * a cluster spans two splits (turns of one conversation in training and test leak), when an example
 * lacks a label of `strata`, or when an example is not JSON.
 */
export function trainset<TInput, TLabels>({
  name,
  version,
  licence,
  source,
  strata,
  splits,
}: TrainsetDefinition<TInput, TLabels>): Trainset<TInput, TLabels> {
  refuseUnknownSplits(splits, name);
  refuseRepeatedIds(splits, name);
  refuseSharedClusters(splits, name);
  refuseMissingStrata(splits, name, strata);
  // Hash first: hashing also proves that the values are JSON and safe to freeze.
  const checksum = sha256(
    splitNames
      .flatMap((split) => (splits[split] ?? []).map((row) => `${split} ${hash(row, name)}`))
      .join("\n"),
  );
  const frozen = (split: SplitName) =>
    Object.freeze((splits[split] ?? []).map((example) => deepFreeze({ ...example })));
  return Object.freeze({
    name,
    ...(version !== undefined && { version }),
    ...(licence !== undefined && { licence }),
    ...(source !== undefined && { source }),
    ...(strata && { strata: Object.freeze([...strata]) }),
    checksum,
    splits: Object.freeze({ train: frozen("train"), val: frozen("val"), test: frozen("test") }),
  });
}

type Splits = TrainsetDefinition<unknown, unknown>["splits"];

function refuseUnknownSplits(splits: Splits, name: string): void {
  const unknown = Object.keys(splits).filter(
    (split) => !splitNames.some((known) => known === split),
  );
  if (unknown.length === 0) return;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: `Trainset \`${name}\` has a split with an unknown name`,
    expected: "`train`, `val` and `test`",
    got: unknown.map((split) => `\`${split}\``).join(", "),
    fix: "Rename it: `train` is for learning, `val` for selection, `test` is held out.",
  });
}

function refuseRepeatedIds(splits: Splits, name: string): void {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const split of splitNames) {
    for (const { id } of splits[split] ?? []) {
      if (typeof id !== "string" || id === "") {
        throw new EspalierError({
          code: "dataset-invalid",
          problem: `Trainset \`${name}\` has an example without an id`,
          expected: "a non-empty string",
          got: JSON.stringify(id) ?? "undefined",
          where: `split \`${split}\``,
        });
      }
      if (seen.has(id)) repeated.add(id);
      seen.add(id);
    }
  }
  if (repeated.size === 0) return;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: `Trainset \`${name}\` repeats example ids`,
    expected: "ids that are unique over all splits",
    got: joinNames([...repeated].map((id) => `\`${id}\``)),
    fix: "Prefix ids with their source, or remove the duplicate.",
  });
}

function refuseSharedClusters(splits: Splits, name: string): void {
  const home = new Map<string, { readonly split: SplitName; readonly id: string }>();
  const shared = new Map<string, string>();
  for (const split of splitNames) {
    for (const { id, cluster = id } of splits[split] ?? []) {
      const first = home.get(cluster) ?? { split, id };
      home.set(cluster, first);
      if (first.split !== split && !shared.has(cluster)) {
        shared.set(
          cluster,
          `\`${cluster}\` (\`${first.id}\` in ${first.split}, \`${id}\` in ${split})`,
        );
      }
    }
  }
  if (shared.size === 0) return;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: `Trainset \`${name}\` has clusters that span two splits`,
    expected: "all examples of a cluster in one split, since they are not independent",
    got: joinNames([...shared.values()]),
    fix: "Split by cluster, not by example.",
  });
}

function refuseMissingStrata(splits: Splits, name: string, strata: readonly string[] = []): void {
  for (const { id, labels } of splitNames.flatMap((split) => splits[split] ?? [])) {
    const held = { ...(labels as Readonly<Record<string, unknown>> | undefined) };
    const missing = strata.find((label) => typeof held[label] !== "string");
    if (missing === undefined) continue;
    throw new EspalierError({
      code: "dataset-invalid",
      problem: `Trainset \`${name}\` is stratified by \`${missing}\`, which an example lacks`,
      expected: "a label that holds text, in every example",
      got: `labels ${Object.keys(held).join(", ") || "of another kind"}`,
      where: `example \`${id}\``,
    });
  }
}

function hash(example: Example, name: string): string {
  const { id, input, labels, cluster } = example;
  try {
    return contentHash({ id, input, labels, cluster });
  } catch (error) {
    throw new EspalierError({
      code: "dataset-invalid",
      problem: `Trainset \`${name}\` has an example that JSON cannot represent`,
      got: messageOf(error),
      where: `example \`${id}\``,
      fix: "Keep inputs and labels plain: finite numbers, strings, booleans, null, lists, objects.",
      cause: error,
    });
  }
}

/** The value of one of an example's labels; `undefined` if it has no such label. */
export function labelOf({ labels }: Pick<Example, "labels">, name: string): unknown {
  if (typeof labels !== "object" || labels === null || !Object.hasOwn(labels, name))
    return undefined;
  return (labels as Readonly<Record<string, unknown>>)[name];
}

/**
 * The texts that a label holds: numbers and truth values as texts, each of a list; none if the
 * example lacks the label.
 */
export function labelTexts(example: Pick<Example, "labels">, name: string): readonly string[] {
  const value = labelOf(example, name);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.flatMap((each) =>
    typeof each === "string" || typeof each === "number" || typeof each === "boolean"
      ? [String(each)]
      : [],
  );
}
