import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { jsonRows } from "espalier/trainset";
import { z } from "zod";

const aliasRow = z.looseObject({
  Q_id: z.string(),
  aliases: z.array(z.string()),
  demonyms: z.array(z.string()).default([]),
});

/**
 * Further spellings of answers by their Wikidata id, from `id_aliases.json` beside a file of
 * 2WikiMultihopQA; demonyms count as its evaluation script counts them. None without the file.
 *
 * @param wanted ids of answers; the file has many others
 * @throws EspalierError `file-malformed` with the line
 */
export async function answerAliases(
  path: string,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const file = join(dirname(path), "id_aliases.json");
  const found = new Map<string, readonly string[]>();
  if (wanted.size === 0 || !existsSync(file)) return found;
  for await (const { row } of jsonRows(file, aliasRow)) {
    if (wanted.has(row.Q_id)) found.set(row.Q_id, [...row.aliases, ...row.demonyms]);
  }
  return found;
}
