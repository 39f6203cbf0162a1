import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { runLogged } from "../../support/python/run-logged.ts";
import { lockOf, repository, say } from "../../support/python/test-cache.ts";
import { embedderFiles, smallModel, toolModel } from "../../support/trained-model.ts";

/** Where models lie that are kept between runs, and the Python that makes them. */
export interface ModelMaker {
  readonly cache: string;
  readonly python: string;
}

/** What the tokenizers learn from. They seldom change, since other texts make other models. */
const texts = ["LICENSE", ...globSync("trainsets/four-shelves/**/*.jsonl", { cwd: repository })];

/** The folder with all random models, made in seconds where this script made none yet. */
export async function randomModels({ cache, python }: ModelMaker): Promise<string> {
  const script = resolve(import.meta.dirname, "../make_models.py");
  const files = texts.toSorted().map((path) => resolve(repository, path));
  const folder = join(cache, `models-${hashOf(python, [script, ...files])}`);
  await madeOnce(folder, async (unfinished) => {
    await runLogged(python, [script, unfinished, ...files], { log: `${folder}.log` });
    return unfinished;
  });
  return folder;
}

/** Models with trained weights that servers can have, by the name that requests give. */
export type TrainedModel = "smollm2-135m" | "qwen-coder-0.5b" | "minilm-l6";

/** A trained model as vLLM takes it; `null`, and a word on standard error, without weights. */
export async function trainedModel(name: TrainedModel, maker: ModelMaker): Promise<string | null> {
  const script = resolve(import.meta.dirname, "../convert_gguf.py");
  const folder = join(maker.cache, `${name}-${hashOf(maker.python, [script])}`);
  return madeOnce(folder, async (unfinished) => {
    if (name === "minilm-l6") return embedderFiles(unfinished);
    const file = await (name === "smollm2-135m" ? smallModel() : toolModel());
    if (file === null) return null;
    await runLogged(maker.python, [script, file, unfinished], { log: `${folder}.log` });
    return unfinished;
  });
}

function hashOf(python: string, files: readonly string[]): string {
  const hash = createHash("sha256").update(python);
  for (const path of files) hash.update(readFileSync(path)).update("\0");
  return hash.digest("hex").slice(0, 12);
}

/** `make` fills the folder that it is given, or returns `null`. */
async function madeOnce(
  folder: string,
  make: (unfinished: string) => Promise<string | null>,
): Promise<string | null> {
  if (existsSync(folder)) return folder;
  using _lock = await lockOf(folder);
  if (existsSync(folder)) return folder;
  say(`Making ${folder}.`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  if ((await make(unfinished)) === null) return null;
  renameSync(unfinished, folder);
  return folder;
}
