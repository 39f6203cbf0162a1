import type { Passage } from "../../contract/index.ts";
import type { Corpus } from "./corpus.ts";
import { corpus } from "./corpus.ts";
import { readCorpus } from "./read-corpus.ts";

/** Source of passages: a checked corpus, a JSONL file, or any iterable. */
export type CorpusSource = Corpus | string | Iterable<Passage>;

/** @throws EspalierError see `readCorpus` and `corpus` */
export async function loadCorpus(
  source: CorpusSource,
  signal: AbortSignal | undefined,
): Promise<Corpus> {
  if (typeof source === "string") return readCorpus(source, signal === undefined ? {} : { signal });
  return "checksum" in source ? source : corpus(source);
}
