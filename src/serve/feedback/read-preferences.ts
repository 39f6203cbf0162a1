import { readSqlite } from "../../storage/index.ts";
import { feedbackFormat } from "./feedback-database.ts";
import { feedbackTables } from "./feedback-tables.ts";
import type { Preference } from "./preference.ts";
import { preferenceOf } from "./preference.ts";

/**
 * The ratings of each version, from a file that a server may be writing; nothing in it changes.
 *
 * @throws EspalierError `file-missing`, `feedback-unusable`
 */
export function readPreferences(path: string): readonly Preference[] {
  using database = readSqlite(path, feedbackFormat);
  return feedbackTables(database, []).tallies().map(preferenceOf);
}
