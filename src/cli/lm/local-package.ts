import type { Embedder } from "../../contract/index.ts";
import type { Connection } from "../../lm/index.ts";
import { aroundTextModel, countCalls } from "../../lm/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { PartsOptions, Servers } from "../../servers/index.ts";
import { isLocalModel } from "../../servers/index.ts";
import { printToStderr } from "../terminal/terminal.ts";
import { timedProgressLine } from "../terminal/progress-line.ts";
import { optionalPackage } from "../packages/optional-package.ts";

export type LocalPackage = typeof import("@espalier/local");

/**
 * Models inside the process, a package of its own.
 *
 * @throws EspalierError `usage-invalid` where it is not installed
 */
export function localPackage(): Promise<LocalPackage> {
  return optionalPackage(() => import("@espalier/local"), {
    name: "@espalier/local",
    brings: "The engine for local models",
  });
}

/** Opens a local model, and fetches its weights first where they are not here yet. */
export async function localLm({
  model,
  ...options
}: Omit<Parameters<LocalPackage["connectLocal"]>[0], "model" | "pull"> & {
  readonly model: string | undefined;
}): Promise<Connection> {
  const { connectLocal, smallest } = await localPackage();
  return connectLocal({ ...options, model: model ?? smallest, pull: pullNotes() });
}

/**
 * The embedder of a servers file, opened once where it is a local model: an option of `parts`. One
 * that cannot be opened fails where it is used.
 */
export async function localEmbedder(
  servers: Servers | undefined,
  costs?: Ledger,
): Promise<Pick<PartsOptions, "localEmbedder">> {
  const given = servers?.embedder;
  if (!isLocalModel(given)) return {};
  const model = given.slice("local:".length);
  const opened = embedders.get(model) ?? openedEmbedder(model);
  embedders.set(model, opened);
  try {
    const embedder = await opened;
    const counted = costs && aroundTextModel(embedder, countCalls(costs, "embedding"));
    return { localEmbedder: () => counted ?? embedder };
  } catch (error) {
    return {
      localEmbedder: () => {
        throw error;
      },
    };
  }
}

const embedders = new Map<string, Promise<Embedder>>();

async function openedEmbedder(model: string): Promise<Embedder> {
  const { connectLocalEmbedder } = await localPackage();
  return connectLocalEmbedder({ model, pull: pullNotes() });
}

/** Says on standard error what is fetched, and how far it is. */
export function pullNotes(): NonNullable<Parameters<LocalPackage["connectLocal"]>[0]["pull"]> {
  const line = timedProgressLine("MB fetched");
  return {
    onNote: printToStderr,
    onProgress: (bytes, all) => {
      if (all === null) return;
      line.show({ done: Math.floor(bytes / 1e6), total: Math.ceil(all / 1e6) });
      if (bytes === all) line[Symbol.dispose]();
    },
  };
}
