import type {
  Embedder,
  Metric,
  PairScorer,
  PassageReranker,
  Retriever,
  Tokenizer,
} from "../contract/index.ts";
import { connectEmbedder, connectPairScorer } from "../lm/index.ts";
import { httpSearch } from "../retrieval/index.ts";
import type { PlayedPart, StandIn } from "../stand-in/index.ts";
import type { Environment } from "./key-of.ts";
import { keyOf } from "./key-of.ts";
import type { PartSourcesOptions } from "./part-sources.ts";
import { partSources } from "./part-sources.ts";
import type { RerankerChoice } from "./reranker-part.ts";
import { hasReranker, rerankerPart, yesNoName } from "./reranker-part.ts";
import type { Servers } from "./servers.ts";
import { noServers, standInMark } from "./servers-file.ts";
import type { TokenServer } from "./tokenizer-part.ts";
import { tokenServer, tokenizerPart } from "./tokenizer-part.ts";

/**
 * The parts of a program that models play besides its LM. A study or serving file that
 * default-exports a function receives them, so that servers or stand-ins can play each part without
 * a change of the file. A part is connected when it is first taken.
 */
export interface Parts {
  /** Whether a server, not a stand-in, plays the part. */
  has(part: ServedPart): boolean;
  /** @throws EspalierError `part-missing`, `key-missing` */
  embedder(): Embedder;
  /** @throws EspalierError `part-missing`, `key-missing` */
  pairScorer(): PairScorer;
  /**
   * The file's reranker, or else its pair scorer.
   *
   * @throws EspalierError `part-missing`, `key-missing`
   */
  reranker(choice?: RerankerChoice): PassageReranker;
  /**
   * Counts with the tokenizer of the LM that answers, unless the file names another.
   *
   * @throws EspalierError `part-missing`, `key-missing`
   */
  tokenizer(): Tokenizer;
  /**
   * The file's search engine. Absent, the program searches an index of its own.
   *
   * @throws EspalierError `key-missing`
   */
  search(): Retriever | undefined;
  /**
   * A metric that asks the judge LM; where no real LM judges, one that needs no model.
   *
   * @throws EspalierError `part-missing`
   */
  judged<TInput, TOutput, TLabels>(choice: {
    readonly metric: () => Metric<TInput, TOutput, TLabels>;
    readonly standIn: () => Metric<TInput, TOutput, TLabels>;
  }): Metric<TInput, TOutput, TLabels>;
  /** The stand-ins among the parts taken so far. */
  standIns(): readonly StandIn[];
  /**
   * The file's LMs that the parts taken so far ask, by the name that a run knows them by: the key
   * in `RunOptions.lms`.
   */
  lms(): Readonly<Record<string, string>>;
}

export type ServedPart = Exclude<PlayedPart, "lm" | "reflectionLm" | "teacherLm"> | "search";

export interface PartsOptions extends PartSourcesOptions {
  /** @default no server plays a part */
  readonly servers?: Servers | undefined;
  /** The server of the LM that answers. @default unknown, so that it cannot count tokens */
  readonly answer?: TokenServer | undefined;
  /** Who judges: an LM behind a server, or the rehearsal LM. @default nobody */
  readonly judge?: "server" | typeof standInMark | undefined;
}

/** The parts that a servers file describes. No server is asked before its part is used. */
export function parts({
  servers = noServers,
  answer,
  judge,
  ...options
}: PartsOptions = {}): Parts {
  const sources = partSources(options);
  const identityOf = ({ identity }: Embedder | PairScorer) => identity;
  const embedder = once((): Embedder => {
    const given = servers.embedder;
    if (typeof given === "object") {
      return sources.connected("embedder", connectEmbedder(sources.reach(given, "embedder")));
    }
    const make = () => sources.models().rehearsalEmbedder();
    return sources.standIn("embedder", given, make, identityOf);
  });
  const pairScorer = once((): PairScorer => {
    const given = servers.pairScorer;
    if (typeof given === "object") {
      const { template: _template, ...server } = given;
      return sources.connected(
        "pairScorer",
        connectPairScorer(sources.reach(server, "pairScorer")),
      );
    }
    const make = () => sources.models().rehearsalScorer();
    return sources.standIn("pairScorer", given, make, identityOf);
  });
  const lms: Record<string, string> = {};
  return {
    has: (part) => {
      if (part === "judgeLm") return judge === "server";
      if (part === "reranker") return hasReranker(servers);
      if (part === "tokenizer") return tokenServer(servers, answer) !== undefined;
      return typeof servers[part] === "object";
    },
    embedder,
    pairScorer,
    reranker: rerankerPart(servers, sources, {
      pairScorer,
      asksLm: (lm) => void (lms[yesNoName] = lm),
    }),
    tokenizer: once(() => tokenizerPart(servers, sources, answer)),
    search: once(() => searchPart(servers, options.environment)),
    judged: ({ metric, standIn }) => {
      if (judge === "server") return metric();
      const byName = ({ name }: { readonly name: string }) => ({
        provider: "espalier",
        model: name,
      });
      return sources.standIn("judgeLm", judge, standIn, byName);
    },
    standIns: () => sources.standIns(),
    lms: () => ({ ...lms }),
  };
}

function searchPart({ search }: Servers, environment: Environment = {}): Retriever | undefined {
  if (search === undefined) return undefined;
  const { keyVariable, keyHeader, ...options } = search;
  const { apiKey } = keyOf(keyVariable, "search", environment);
  return httpSearch({
    ...options,
    ...(apiKey !== undefined && { headers: { [keyHeader]: apiKey } }),
  });
}

function once<TPart>(make: () => TPart): () => TPart {
  let made: { readonly part: TPart } | undefined;
  return () => {
    made ??= { part: make() };
    return made.part;
  };
}
