import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { runFolderFiles, holdsRun } from "../../optimizer/files.ts";
import type { FileKind } from "./kind-of-file.ts";
import { kindOfFile } from "./kind-of-file.ts";

/** How far a search goes. */
export interface FindLimits {
  /** Folders below the first one. @default 8 */
  readonly depth?: number;
  /** Entries of folders that are looked at. @default 50,000 */
  readonly entries?: number;
  /** Files outside of the folder that are found as well. @default none */
  readonly further?: readonly string[];
}

/** Finds the sources below a folder; what it has read of a file is kept until the file changes. */
export type SourceFinder = (signal?: AbortSignal) => Promise<Found>;

/**
 * Follows no links, and leaves out `node_modules` and hidden folders, but for `.espalier`. Of a
 * run's folder it finds the run alone.
 */
export function sourceFinder(
  folder: string,
  { depth: deepest = 8, entries: most = 50_000, further = [] }: FindLimits = {},
): SourceFinder {
  const kinds = new Map<string, { readonly stamp: string; readonly kind: FileKind | null }>();

  const kindOf = async (path: string, stamp: string): Promise<FileKind | null> => {
    const known = kinds.get(path);
    if (known?.stamp === stamp) return known.kind;
    const kind = await kindOfFile(path).catch(() => null);
    kinds.set(path, { stamp, kind });
    return kind;
  };

  return async (signal) => {
    const found = {
      run: [] as FoundItem[],
      result: [] as FoundItem[],
      artifact: [] as FoundItem[],
      state: [] as FoundItem[],
      feedback: [] as FoundItem[],
    };
    let [looked, isTooDeep] = [0, false];

    const lookAt = async (path: string, id: string): Promise<void> => {
      const held = await stat(path).catch(() => null);
      if (held === null) return;
      const { mtimeMs, size } = held;
      const kind = await kindOf(path, `${mtimeMs} ${size}`);
      if (kind === null) return;
      // Of a database in use, what is new is in a second file.
      const isDatabase = kind === "state" || kind === "feedback";
      const changedMs = isDatabase ? Math.max(mtimeMs, await changedMsOf(`${path}-wal`)) : mtimeMs;
      found[kind].push({ id, path, changedMs });
    };
    const lookInto = async (path: string, id: string, depth: number): Promise<void> => {
      signal?.throwIfAborted();
      if (holdsRun(path)) {
        const changedMs = await changedMsOf(runFolderFiles(path).journal);
        found.run.push({ id, path, changedMs });
        return;
      }
      for (const entry of await entriesOf(path)) {
        if (++looked > most) return;
        const below = {
          path: join(path, entry.name),
          id: id === "" ? entry.name : `${id}/${entry.name}`,
        };
        if (entry.isDirectory()) {
          if (isSkipped(entry.name)) continue;
          if (depth === deepest) isTooDeep = true;
          else await lookInto(below.path, below.id, depth + 1);
        } else if (entry.isFile() && mayBeOurs.test(entry.name)) {
          await lookAt(below.path, below.id);
        }
      }
    };

    await lookInto(folder, "", 0);
    const known = new Set([...found.state, ...found.feedback].map(({ path }) => path));
    for (const path of further) if (!known.has(path)) await lookAt(path, path);
    const newestFirst = (items: FoundItem[]): FoundItem[] =>
      items.toSorted(
        (one, other) => other.changedMs - one.changedMs || (one.id < other.id ? -1 : 1),
      );
    return {
      runs: newestFirst(found.run),
      results: newestFirst(found.result),
      artifacts: newestFirst(found.artifact),
      states: newestFirst(found.state),
      feedback: newestFirst(found.feedback),
      leftOut:
        looked > most
          ? `Only the first ${most.toLocaleString("en")} entries were examined: start the studio in a deeper folder.`
          : isTooDeep
            ? `Folders more than ${deepest} levels down were not searched.`
            : null,
    };
  };
}

const mayBeOurs = /\.(json|sqlite|db)$/;

function isSkipped(name: string): boolean {
  return name === "node_modules" || (name.startsWith(".") && name !== ".espalier");
}

/** None of a folder that cannot be read or is gone by now. */
async function entriesOf(path: string): Promise<readonly Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function changedMsOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}

/** What lies below a studio's folder, by what it is. */
export interface Found {
  readonly runs: readonly FoundItem[];
  readonly results: readonly FoundItem[];
  readonly artifacts: readonly FoundItem[];
  /** Files in which servers keep the state of trials. */
  readonly states: readonly FoundItem[];
  readonly feedback: readonly FoundItem[];
  /** In words, what the limits left out; `null` if nothing. */
  readonly leftOut: string | null;
}

export interface FoundItem {
  /** Path below the folder, with `/`. */
  readonly id: string;
  readonly path: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly changedMs: number;
}
