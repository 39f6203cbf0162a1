import type { Example, SplitName, Trainset } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { sampleByCluster } from "../../trainset/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";

/** How the examples of an evaluation were taken from their split. */
export interface Drawn {
  readonly rule: "all" | "first" | "sample";
  /** Number of examples in the split. */
  readonly of: number;
  /** Present for a sample that is not the whole split. */
  readonly seed?: number;
  /** The labels in proportion to which a sample was drawn. */
  readonly strata?: readonly string[];
}

export interface DrawnExamples {
  readonly examples: readonly Example[];
  readonly drawn: Drawn;
}

interface DrawOptions {
  readonly split: SplitName;
  readonly limit?: string | undefined;
  readonly sample?: string | undefined;
  readonly seed: number;
}

/**
 * The examples to evaluate: the whole split, its first ones, or a sample of whole clusters.
 *
 * @throws EspalierError `usage-invalid` if the split is empty, or for both ways to take fewer
 */
export function drawExamples(
  { name, splits, strata = [] }: Trainset,
  { split, limit, sample, seed }: DrawOptions,
): DrawnExamples {
  const all = splits[split];
  if (all.length === 0) throw emptySplit(split, name, splits);
  const drawn = { rule: "all", of: all.length } as const;
  if (sample !== undefined) {
    if (limit !== undefined) throw bothGiven();
    const count = wholeNumber("sample", sample, 1);
    if (count >= all.length) return { examples: all, drawn };
    return {
      examples: sampleByCluster(all, { count, seed, strata }),
      drawn: { ...drawn, rule: "sample", seed, ...(strata.length > 0 && { strata }) },
    };
  }
  const count = limit === undefined ? all.length : wholeNumber("limit", limit, 1);
  if (count >= all.length) return { examples: all, drawn };
  return { examples: all.slice(0, count), drawn: { ...drawn, rule: "first" } };
}

/** Says how they were taken; empty for a whole split. */
export function drawnText(drawn: Drawn): string {
  if (drawn.rule === "all") return "";
  if (drawn.rule === "first") return "the first of the split";
  const { strata = [], seed = 0 } = drawn;
  const share = strata.length === 0 ? "" : ` in proportion to ${strata.join(", ")}`;
  return `drawn by cluster${share}, seed ${seed}`;
}

function emptySplit(split: SplitName, name: string, splits: Trainset["splits"]): EspalierError {
  const sizes = Object.entries(splits).map(([each, { length }]) => `${each} ${length}`);
  return new EspalierError({
    code: "usage-invalid",
    problem: `The split "${split}" of trainset "${name}" is empty`,
    got: sizes.join(", "),
    fix: "Choose another split with --split",
  });
}

function bothGiven(): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem: "--limit and --sample cannot be combined",
    expected: "--sample N for a sample of the split, or --limit N for its first examples",
  });
}
