import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { runLogged } from "../../support/python/run-logged.ts";
import { lockOf, repository, say } from "../../support/python/test-cache.ts";

const script = resolve(import.meta.dirname, "../make_models.py");

/** What the tokenizers learn from. They seldom change, since other texts make other models. */
const texts = ["LICENSE", ...globSync("trainsets/four-shelves/**/*.jsonl", { cwd: repository })];

/** The folder with all models, made in seconds where these texts and this script made none yet. */
export async function modelFolders(cache: string, python: string): Promise<string> {
  const files = texts.toSorted().map((path) => resolve(repository, path));
  const hash = createHash("sha256").update(python);
  for (const path of [script, ...files]) hash.update(readFileSync(path)).update("\0");
  const folder = join(cache, `models-${hash.digest("hex").slice(0, 12)}`);
  if (existsSync(folder)) return folder;

  using _lock = await lockOf(folder);
  if (existsSync(folder)) return folder;
  say(`Making models in ${folder}.`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  await runLogged(python, [script, unfinished, ...files], { log: `${folder}.log` });
  renameSync(unfinished, folder);
  return folder;
}
