import type { LanguageModel } from "../../contract/index.ts";
import { checkCount, optionOutside } from "../../internal/index.ts";
import type { Budget } from "../budget/index.ts";

export interface BootstrapFewShotOptions {
  /** Most demonstrations of a predictor that come from runs. @default 4 */
  readonly maxBootstrapped?: number;
  /**
   * Most demonstrations of a predictor in all, where labels (named like its outputs, or a study's
   * `gold`) add to those from runs. @default 16
   */
  readonly maxLabelled?: number;
  /**
   * Most sets of demonstrations that are tried; with 1, that of the first examples of train that
   * pass, as plain BootstrapFewShot. @default 32
   */
  readonly trials?: number;
  /** Runs the program on train. @default the program's own LM and temperatures */
  readonly teacher?: {
    readonly lm?: LanguageModel;
    /** @default each predictor's own */
    readonly temperature?: number;
  };
  /**
   * Also tries to carry all demonstrations that were found and to show, at each call, the nearest
   * to its inputs; `null`: only fixed sets are tried. @default by words, up to the numbers above
   */
  readonly nearest?: {
    /**
     * By the words that inputs share, or by vectors of the program's embedder, which
     * `program.withEmbedder()` gives it.
     */
    readonly by: "words" | "embedder";
    /** Numbers of demonstrations to try, each at least 1. @default [8, 4] */
    readonly k?: readonly number[];
  } | null;
  /** Optional: the search ends by itself. */
  readonly budget?: Budget;
  /** @default 0 */
  readonly seed?: number;
}

/** Options with their defaults filled in, as plain JSON. */
export type FewShotSettings = {
  readonly maxBootstrapped: number;
  readonly maxLabelled: number;
  readonly trials: number;
  /** Absent: each predictor's own. */
  readonly teacherTemperature?: number;
  readonly nearest: Required<Nearest> | null;
};

type Nearest = NonNullable<BootstrapFewShotOptions["nearest"]>;

const defaultK = [8, 4] as const;

const owner = "bootstrapFewShot()";

/** Fills in defaults; throws `option-invalid` for values outside their range. */
export function fewShotSettings({
  maxBootstrapped = 4,
  maxLabelled = 16,
  trials = 32,
  teacher: { temperature } = {},
  nearest = nearestUpTo(Math.max(maxBootstrapped, maxLabelled)),
}: BootstrapFewShotOptions): FewShotSettings {
  checkCount("maxBootstrapped", maxBootstrapped, 0, owner);
  checkCount("maxLabelled", maxLabelled, 0, owner);
  if (maxBootstrapped + maxLabelled === 0) {
    throw optionOutside("maxBootstrapped", 0, "above 0 where `maxLabelled` is 0", owner);
  }
  checkCount("trials", trials, 1, owner);
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2)) {
    throw optionOutside("teacher.temperature", temperature, "a number from 0 to 2", owner);
  }
  return Object.freeze({
    maxBootstrapped,
    maxLabelled,
    trials,
    ...(temperature !== undefined && { teacherTemperature: temperature }),
    nearest: nearest && checkedNearest(nearest),
  });
}

function nearestUpTo(most: number): Nearest | null {
  const k = [...new Set(defaultK.map((one) => Math.min(one, most)))].filter((one) => one > 0);
  return k.length === 0 ? null : { by: "words", k };
}

function checkedNearest({ by, k = defaultK }: Nearest): Required<Nearest> {
  if (!["words", "embedder"].includes(by)) {
    throw optionOutside("nearest.by", by, '"words" or "embedder"', owner);
  }
  if (k.length === 0) {
    throw optionOutside("nearest.k", "[]", "a list of one or more numbers", owner);
  }
  for (const each of k) checkCount("nearest.k", each, 1, owner);
  return Object.freeze({ by, k: Object.freeze([...k]) });
}
