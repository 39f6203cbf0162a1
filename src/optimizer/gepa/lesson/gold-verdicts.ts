import type { GoldPart } from "../../../contract/index.ts";
import type { Rollout } from "../../evaluation/index.ts";

/** A rollout's run once more, with gold in place of one predictor's part. */
export interface GoldReplay {
  readonly predictor: string;
  readonly part: GoldPart;
  readonly score: Rollout["score"];
}

/** What a replay says about the predictor whose part was replaced. */
interface Verdict {
  readonly predictor: string;
  /** `null`: the replay does not tell. */
  readonly isAtFault: boolean | null;
  /** For the reflection LM: names fields, never their values. */
  readonly text: string;
}

/**
 * A failing rollout whose lesson says what its replays tell of single steps. If a run improves once
 * a step says what it should, the fault lies in that step or before it: the first step that helps
 * is at fault, and later ones are not if they help no more. If a step is given what it should be
 * and nothing improves, it is at fault itself; if the run is then perfect, it is not.
 */
export function withGoldVerdicts(
  rollout: Rollout,
  replays: readonly GoldReplay[],
  perfectScore: number | null,
): Rollout {
  const { lesson, score } = rollout;
  if (lesson === undefined || score.kind !== "scored") return rollout;
  const order = lesson.steps.map(({ predictor }) => predictor);
  let most = score.value;
  const verdicts = replays
    .toSorted((one, other) => order.indexOf(one.predictor) - order.indexOf(other.predictor))
    .flatMap(({ predictor, part, score: after }): Verdict | readonly [] => {
      if (after.kind !== "scored") return [];
      const { value } = after;
      // A step after it may be misled by what is right: that tells nothing of this one.
      if (value < score.value) return [];
      const change =
        value > score.value
          ? `the score of this run rises from ${shown(score.value)} to ${shown(value)}`
          : `the score of this run stays at ${shown(value)}`;
      if ("outputs" in part) {
        const isAtFault = value > most;
        most = Math.max(most, value);
        const text = `With the right output of this step in its place, ${change}.`;
        return { predictor, isAtFault, text };
      }
      const fields = Object.keys(part.inputs).map((name) => `\`${name}\``);
      const text = `Given the right ${fields.join(", ")}, ${change}.`;
      const isPerfect = perfectScore !== null && value >= perfectScore;
      return { predictor, isAtFault: isPerfect ? false : value > score.value ? null : true, text };
    });
  const excused = verdicts.flatMap(({ isAtFault, predictor }) =>
    isAtFault === false ? [predictor] : [],
  );
  const found = verdicts.flatMap(({ isAtFault, predictor: path, text }) =>
    isAtFault === false ? [] : [{ path, text }],
  );
  // If nobody is left to blame, the replays contradict each other.
  if (excused.length === new Set(order).size) return rollout;
  return { ...rollout, lesson: { ...lesson, blame: [...(lesson.blame ?? []), ...found], excused } };
}

function shown(score: number): string {
  return String(Number(score.toFixed(4)));
}
