import type { Tally } from "./feedback-tables.ts";
import type { Proportion } from "../../statistics/index.ts";
import { wilsonInterval } from "../../statistics/index.ts";

/** Ratings of one version of a model. */
export interface Preference extends Tally {
  /** Share of the ratings that are `up`; `null` without ratings. */
  readonly preference: Proportion | null;
}

export function preferenceOf(tally: Tally): Preference {
  const { up, down } = tally;
  return { ...tally, preference: wilsonInterval(up, up + down) };
}
