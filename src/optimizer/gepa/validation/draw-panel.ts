import type { RandomSource } from "../../../contract/index.ts";
import type { Selection } from "../../candidate/candidate-record.ts";
import type { Panel } from "../strategy/panel.ts";

/**
 * All of a small val. Of a larger one, `size` examples in two strata: those on which the seed fell
 * short, of which it takes as many as leave `others`, and the rest. A mean weighted by what each
 * example stands for estimates the mean over all of val (stratified sampling).
 */
export function drawPanel(
  seed: Selection["scores"],
  { size, others, perfectScore }: PanelOptions,
  random: RandomSource,
): Panel {
  const val = Object.keys(seed);
  if (val.length <= size || perfectScore === null) return { exampleIds: val };
  const isShort = (id: string): boolean => (seed[id] ?? perfectScore) < perfectScore;
  const short = val.filter(isShort);
  const rest = val.filter((id) => !isShort(id));
  const ofRest = Math.min(rest.length, Math.max(others, size - short.length));
  const strata = [
    { all: short, drawn: random.shuffle(short).slice(0, size - ofRest) },
    { all: rest, drawn: random.shuffle(rest).slice(0, ofRest) },
  ];
  const weights = new Map(
    strata.flatMap(({ all, drawn }) => drawn.map((id) => [id, all.length / drawn.length])),
  );
  return { exampleIds: val.filter((id) => weights.has(id)), weights };
}

export interface PanelOptions {
  /** Maximum number of examples. */
  readonly size: number;
  /** Minimum number, as far as there are so many, of those on which the seed did not fall short. */
  readonly others: number;
  /** `null`: nobody knows which fell short, so all of val is taken. */
  readonly perfectScore: number | null;
}
