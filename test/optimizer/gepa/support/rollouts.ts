import type { Rollout } from "espalier/optimizer";
import type { TextComponent } from "../../../../src/optimizer/task/search-space.ts";

export interface RolloutParts {
  /** @default 0 */
  readonly score?: number | null;
  /** @default ["first"] */
  readonly ran?: readonly string[];
  /** Of the whole run, or by predictor; absent: the run teaches nothing. */
  readonly feedback?: string | Readonly<Record<string, string>>;
}

/** A rollout as a text task would give it; a score of `null` is a fault. */
export function rolloutOf(
  exampleId: string,
  { score = 0, ran = ["first"], feedback }: RolloutParts = {},
): Rollout {
  const steps = ran.map((name) => {
    return { path: name, predictor: name, inputs: {}, outputs: {}, rawText: null };
  });
  const failure = {
    kind: "infrastructure",
    code: "lm-unreachable",
    message: "No server.",
  } as const;
  return {
    exampleId,
    score: score === null ? { kind: "unscored", failure } : { kind: "scored", value: score },
    ran,
    usage: { calls: 0, promptTokens: 0, completionTokens: 0 },
    worst: 0,
    ...(feedback !== undefined && {
      lesson:
        typeof feedback === "string"
          ? { feedback, steps }
          : { blame: Object.entries(feedback).map(([path, text]) => ({ path, text })), steps },
    }),
  };
}

export function textOf(path: string, value: string = `Text of ${path}.`): TextComponent {
  return { kind: "instruction", path, value };
}
