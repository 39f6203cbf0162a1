import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Passage } from "espalier";
import type { PythonPackage } from "../python-package.ts";
import { pythonPackage } from "../python-package.ts";
import { quantiles } from "./contender.ts";

export interface PeerFigures {
  readonly buildSeconds: number;
  readonly bytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly ms: readonly number[];
  readonly found: readonly (readonly { readonly id: string; readonly score: number }[])[];
}

/** Libraries of Python that search by BM25, in their own environment, or why there is none. */
export function keywordPeers(): Promise<PythonPackage | string> {
  return pythonPackage("bm25s", "0.3.16", ["tantivy==0.27.0", "PyStemmer==3.1.0"]);
}

export async function askPeer(
  peers: PythonPackage,
  {
    engine,
    passages,
    queries,
    folder,
  }: {
    readonly engine: "bm25s" | "tantivy";
    readonly passages: readonly Passage[];
    readonly queries: readonly string[];
    readonly folder: string;
  },
): Promise<PeerFigures> {
  const file = join(folder, "passages.jsonl");
  const index = join(folder, engine);
  await mkdir(index, { recursive: true });
  const lines = function* () {
    for (const { id, title, text } of passages) yield `${JSON.stringify({ id, title, text })}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
  const program = join(import.meta.dirname, "keyword_peers.py");
  const asked = { engine, folder: index, passages: file, queries, k: 10 };
  const said = JSON.parse(await peers.run(program, JSON.stringify(asked))) as {
    readonly build_seconds: number;
    readonly bytes: number;
    readonly ms: readonly number[];
    readonly found: readonly (readonly string[])[];
  };
  await rm(index, { recursive: true });
  return {
    buildSeconds: said.build_seconds,
    bytes: said.bytes,
    ...quantiles(said.ms),
    ms: said.ms,
    found: said.found.map((ids) => ids.map((id, index) => ({ id, score: 1 / (index + 1) }))),
  };
}
