import type { Embedder, Retriever } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { IndexContents, IndexProgress } from "../../retrieval/index.ts";
import { bm25Index, denseIndex } from "../../retrieval/index.ts";
import { contentsText } from "./index-text.ts";
import { optionalPackage } from "../packages/optional-package.ts";
import { timedProgressLine } from "../terminal/progress-line.ts";

/** An index of one of three kinds, as commands use it. */
export interface OpenedIndex extends AsyncDisposable {
  /** As given, without credentials. */
  readonly place: string;
  readonly size: number;
  readonly checksum: string;
  /** Searches by words. */
  readonly keyword: Retriever;
  inspect(): Promise<{ readonly contents: IndexContents; readonly text: string }>;
}

export interface IndexRequest {
  /** A file, `postgres://...`, or `lance:` with a folder or a place in an object store. */
  readonly place: string;
  /** Of PostgreSQL. */
  readonly schema: string | undefined;
  readonly corpus?: string;
  readonly embedder?: Embedder | undefined;
  readonly signal: AbortSignal;
  /** Is told once if there is something to build. */
  readonly onBuild?: () => void;
}

/** @throws EspalierError `usage-invalid`, and what the index throws */
export async function openIndex(request: IndexRequest): Promise<OpenedIndex> {
  const { place, schema, onBuild = () => {} } = request;
  const isPostgres = /^postgres(?:ql)?:\/\//.test(place);
  if (schema !== undefined && !isPostgres) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "--schema applies only to PostgreSQL",
      expected: "an index at postgres://USER@HOST:PORT/DATABASE",
      got: withoutCredentials(place),
    });
  }
  using progress = stepProgress(onBuild);
  const { onProgress } = progress;
  if (isPostgres) return await openPostgres(request, onProgress);
  return await (place.startsWith("lance:")
    ? openLance(request, onProgress)
    : openFile(request, onProgress));
}

type OnProgress = ReturnType<typeof stepProgress>["onProgress"];

async function openFile(
  { place, corpus, embedder, signal }: IndexRequest,
  onProgress: OnProgress,
): Promise<OpenedIndex> {
  const given = { path: place, ...(corpus !== undefined && { corpus }), signal, onProgress };
  const index = await bm25Index(given);
  try {
    // Stores the vectors in the same file.
    if (embedder !== undefined) {
      await (await denseIndex({ ...given, embedder }))[Symbol.asyncDispose]();
    }
  } catch (error) {
    await index[Symbol.asyncDispose]();
    throw error;
  }
  return {
    place,
    size: index.size,
    checksum: index.checksum,
    keyword: index,
    inspect: async () => {
      const contents = index.inspect();
      const { version, tokenizer, stems } = contents;
      const about = `index version ${version}, tokenizer ${tokenizer}`;
      return { contents, text: contentsText(contents, { stems, about }) };
    },
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  };
}

async function openPostgres(
  { place, schema, corpus, embedder, signal }: IndexRequest,
  onProgress: OnProgress,
): Promise<OpenedIndex> {
  const { postgresIndex } = await postgresPackage();
  const index = await postgresIndex({
    url: place,
    ...(schema !== undefined && { schema }),
    ...(corpus !== undefined && { corpus }),
    ...(embedder !== undefined && { embedder }),
    signal,
    onProgress,
  });
  return {
    place: withoutCredentials(place),
    size: index.size,
    checksum: index.checksum,
    keyword: index.retriever({ by: "keyword" }),
    inspect: async () => {
      const contents = await index.inspect();
      const { version, server, stems } = contents;
      const about = `index version ${version}, schema ${contents.schema} of ${server}`;
      return { contents, text: contentsText(contents, { stems, about }) };
    },
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  };
}

async function openLance(
  { place, corpus, embedder, signal }: IndexRequest,
  onProgress: OnProgress,
): Promise<OpenedIndex> {
  if (place === "lance:") {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "An index in LanceDB needs a location",
      expected: "lance:FOLDER, or lance:s3://BUCKET/PATH",
      got: place,
    });
  }
  const { lanceIndex } = await lancePackage();
  const index = await lanceIndex({
    uri: place.slice("lance:".length),
    ...(corpus !== undefined && { corpus }),
    ...(embedder !== undefined && { embedder }),
    signal,
    onProgress,
  });
  return {
    place,
    size: index.size,
    checksum: index.checksum,
    keyword: index.keyword,
    inspect: async () => {
      const contents = await index.inspect();
      const about = `index version ${contents.version}, LanceDB at ${contents.uri}`;
      return { contents, text: contentsText(contents, { about }) };
    },
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  };
}

/**
 * The index in LanceDB, a package of its own.
 *
 * @throws EspalierError `usage-invalid` where it is not installed
 */
function lancePackage(): Promise<typeof import("@espalier/lance")> {
  return optionalPackage(() => import("@espalier/lance"), {
    name: "@espalier/lance",
    brings: "The index in LanceDB",
  });
}

/**
 * The index in PostgreSQL, a package of its own.
 *
 * @throws EspalierError `usage-invalid` where it is not installed
 */
function postgresPackage(): Promise<typeof import("@espalier/postgres")> {
  return optionalPackage(() => import("@espalier/postgres"), {
    name: "@espalier/postgres",
    brings: "The index in PostgreSQL",
  });
}

/** A progress line for each step of a build, one after the other. */
function stepProgress(
  onBuild: () => void,
): Disposable & { readonly onProgress: (progress: IndexProgress) => void } {
  let step: IndexProgress["step"] | undefined;
  let line: ReturnType<typeof timedProgressLine> | undefined;
  return {
    onProgress: (progress) => {
      if (step !== progress.step) {
        line?.[Symbol.dispose]();
        if (step === undefined) onBuild();
        line = timedProgressLine(stepLabels[progress.step]);
        ({ step } = progress);
      }
      line?.show(progress);
    },
    [Symbol.dispose]: () => line?.[Symbol.dispose](),
  };
}

const stepLabels: Readonly<Record<IndexProgress["step"], string>> = {
  index: "passages indexed",
  embed: "passages embedded",
  link: "passages linked",
};
