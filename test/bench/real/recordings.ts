import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import type { RunStore } from "../../../scripts/support/run-store.ts";
import { runStore } from "../../../scripts/support/run-store.ts";

/** What a model replied, without what differs between two equal replies. */
export interface RecordedReply {
  readonly content: string;
  /** Absent: `stop`. */
  readonly finishReason?: string;
  /** Of the prompt and of the reply. */
  readonly tokens: readonly [number, number];
  /** As the server wrote them. */
  readonly logprobs?: unknown;
  /** The status of a request that was refused, with the server's words as `content`. */
  readonly status?: number;
}

type Line = readonly [key: string, reply: RecordedReply];

const inRepository = join(import.meta.dirname, "recordings");
const outside = join(import.meta.dirname, "../../../.espalier/bench/real");

/** Replies by model and task: compressed in the repository, and what came since outside of it. */
export function recordings(kept = inRepository, fresh = outside) {
  const open = new Map<
    string,
    { packed: Map<string, RecordedReply>; since: RunStore<RecordedReply> }
  >();
  const paths = (name: string) => ({
    packed: join(kept, `${name}.jsonl.br`),
    since: join(fresh, `${name}.jsonl`),
  });
  const opened = (name: string) => {
    const { packed, since } = paths(name);
    const files = open.get(name) ?? { packed: new Map(linesIn(packed)), since: runStore(since) };
    open.set(name, files);
    return files;
  };
  return {
    get: (model: string, task: string, key: string): RecordedReply | undefined => {
      const { packed, since } = opened(`${model}/${task}`);
      return packed.get(key) ?? since.get(key);
    },
    /** Keeps it at once, so that an interrupted run goes on where it was. */
    set: (model: string, task: string, key: string, reply: RecordedReply): void =>
      opened(`${model}/${task}`).since.add({ key, figures: reply }),
    /** Moves what came since into the repository. */
    pack: (): void => {
      for (const [name, { packed, since }] of open) {
        const path = paths(name);
        if (!existsSync(path.since)) continue;
        const lines = [...new Map([...packed, ...since.all()])].toSorted(byKey);
        mkdirSync(dirname(path.packed), { recursive: true });
        writeFileSync(
          path.packed,
          brotliCompressSync(lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
        );
        rmSync(path.since);
        open.delete(name);
      }
    },
  };
}

function byKey([one]: Line, [other]: Line): number {
  return one < other ? -1 : 1;
}

function linesIn(packed: string): readonly Line[] {
  if (!existsSync(packed)) return [];
  const text = brotliDecompressSync(readFileSync(packed)).toString();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}
