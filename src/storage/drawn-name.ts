import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, rename, rm } from "node:fs/promises";
import { EspalierError } from "../errors/index.ts";
import { jsonOrUndefined, objectOf, oneOf, text } from "../internal/index.ts";
import { readFileWithinSync } from "./read-file-within.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

/**
 * A name of a run beyond its folder, drawn once and kept there: where the run is would be a name
 * that others may have as well.
 *
 * @param whose what is named, for messages: "on tracking servers"
 * @throws EspalierError `file-malformed`, `write-failed`
 */
export async function drawnName(
  path: string,
  { format, whose }: { readonly format: string; readonly whose: string },
): Promise<string> {
  if (!existsSync(path)) {
    const key = randomUUID();
    const own = `${path}.${key}`;
    await writeFileAtomic(own, `${JSON.stringify({ format, key })}\n`);
    // Of several that draw at once, the first one's counts. Some file systems have no links.
    await link(own, path).catch(() => (existsSync(path) ? undefined : rename(own, path)));
    await rm(own, { force: true });
  }
  const held = jsonOrUndefined(readFileWithinSync(path, 2 ** 10));
  if (objectOf({ format: oneOf(format), key: text })(held) === null) {
    const { key } = held as { readonly key: string };
    if (/^[0-9a-f-]{36}$/.test(key)) return key;
  }
  throw new EspalierError({
    code: "file-malformed",
    problem: `The file with the run's name ${whose} is malformed`,
    where: path,
    expected: `{ "format": "${format}", "key": "..." }`,
    fix: "Restore it, or remove it: the run then gets a new name.",
  });
}
