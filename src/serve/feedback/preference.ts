import type { Tally } from "./feedback-tables.ts";
import { feedbackTables, feedbackFormat } from "./feedback-tables.ts";
import type { Proportion } from "../../statistics/index.ts";
import { wilsonInterval } from "../../statistics/index.ts";
import { readSqlite } from "../../storage/index.ts";

/** Ratings of one version of a model. */
export interface Preference extends Tally {
  /** Share of the ratings that are `up`; `null` without ratings. */
  readonly preference: Proportion | null;
}

export function preferenceOf(tally: Tally): Preference {
  const { up, down } = tally;
  return { ...tally, preference: wilsonInterval(up, up + down) };
}

/**
 * The ratings of each version, from a file that a server may be writing; nothing in it changes.
 *
 * @throws EspalierError `file-missing`, `feedback-unusable`
 */
export function readPreferences(path: string): readonly Preference[] {
  using database = readSqlite(path, feedbackFormat);
  return feedbackTables(database, []).tallies().map(preferenceOf);
}
