import type {
  Embedder,
  Metric,
  PairScorer,
  PassageReranker,
  Reranker,
  Retriever,
  Tokenizer,
} from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import {
  connectEmbedder,
  connectPairScorer,
  connectReranker,
  connectTokenizer,
  estimatingTokenizer,
} from "../lm/index.ts";
import {
  httpSearch,
  lexicalReranker,
  modelReranker,
  pairReranker,
  qwen3Reranker,
  yesNoReranker,
} from "../retrieval/index.ts";
import type { PlayedPart, Mock } from "../mock/index.ts";
import type { Environment } from "./key-of.ts";
import { keyOf } from "./key-of.ts";
import type { PartSources, PartSourcesOptions } from "./part-sources.ts";
import { partSources } from "./part-sources.ts";
import type { LocalModel, Servers } from "./servers.ts";
import { isLocalModel, noServers, mockMark } from "./servers-file.ts";
import { anyUrlOf } from "../lm/files.ts";

export interface RerankerChoice {
  /** What makes a passage relevant, for models that can be told. @default the model's own */
  readonly instruction?: string | undefined;
  /** Plays the part where no server does. @default `lexicalReranker()` */
  readonly mock?: () => PassageReranker;
}

/**
 * The parts of a program that models play besides its LM. A study or serving file that
 * default-exports a function receives them, so that servers or mocks can play each part without
 * a change of the file. A part is connected when it is first taken.
 */
export interface Parts {
  /** Whether a server, not a mock, plays the part. */
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
   * The file's search engine. Without it, the program searches its own index.
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
    readonly mock: () => Metric<TInput, TOutput, TLabels>;
  }): Metric<TInput, TOutput, TLabels>;
  /** The mocks among the parts taken so far. */
  mocks(): readonly Mock[];
  /**
   * The file's LMs that the parts taken so far ask, by the name that a run knows them by: the key
   * in `RunOptions.lms`.
   */
  lms(): Readonly<Record<string, string>>;
}

export type ServedPart = Exclude<PlayedPart, "lm" | "reflectionLm" | "teacherLm"> | "search";

/** A server that counts tokens for one of its models. */
export interface TokenServer {
  readonly url: string;
  /** Absent: the server's only one. */
  readonly model?: string;
  readonly keyVariable?: string;
  /** Used if `keyVariable` is absent. */
  readonly apiKey?: string;
  readonly concurrency?: number;
}

export interface PartsOptions extends PartSourcesOptions {
  /** @default no server plays a part */
  readonly servers?: Servers | undefined;
  /** The server of the LM that answers. @default unknown, so that it cannot count tokens */
  readonly answer?: TokenServer | undefined;
  /** Plays the embedder where the file says `local:MODEL`. */
  readonly localEmbedder?: (() => Embedder) | undefined;
  /** Who judges: an LM behind a server, or the rehearsal LM. @default none */
  readonly judge?: "server" | typeof mockMark | undefined;
}

/** The parts that a servers file describes. No server is asked before its part is used. */
export function parts({
  servers = noServers,
  answer,
  judge,
  localEmbedder,
  ...options
}: PartsOptions = {}): Parts {
  const sources = partSources(options);
  const identityOf = ({ identity }: Embedder | PairScorer) => identity;
  const embedder = once((): Embedder => {
    const given = servers.embedder;
    if (typeof given === "object") {
      return sources.connected("embedder", connectEmbedder(sources.reach(given, "embedder")));
    }
    if (isLocalModel(given)) return localEmbedder?.() ?? notOpened(given);
    const make = () => sources.models().rehearsalEmbedder();
    return sources.mock("embedder", given, make, identityOf);
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
    return sources.mock("pairScorer", given, make, identityOf);
  });
  const lms: Record<string, string> = {};
  return {
    has: (part) => {
      if (part === "judgeLm") return judge === "server";
      if (part === "reranker") return hasReranker(servers);
      if (part === "tokenizer") return tokenServer(servers, answer) !== undefined;
      return servers[part] !== undefined && servers[part] !== mockMark;
    },
    embedder,
    pairScorer,
    reranker: rerankerPart(servers, sources, {
      pairScorer,
      asksLm: (lm) => void (lms[yesNoName] = lm),
    }),
    tokenizer: once(() => tokenizerPart(servers, sources, answer)),
    search: once(() => searchPart(servers, options.environment)),
    judged: ({ metric, mock }) => {
      if (judge === "server") return metric();
      const byName = ({ name }: { readonly name: string }) => ({
        provider: "espalier",
        model: name,
      });
      return sources.mock("judgeLm", judge, mock, byName);
    },
    mocks: () => sources.mocks(),
    lms: () => ({ ...lms }),
  };
}

function notOpened(model: LocalModel): never {
  throw new EspalierError({
    code: "part-missing",
    problem: `The servers file names the embedder "${model}", which has not been opened`,
    expected: "`localEmbedder`, made by `connectLocalEmbedder()` of @espalier/local",
  });
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

/** Whether a server ranks: a reranker, an LM that says yes, or a pair scorer. */
function hasReranker({ reranker, pairScorer }: Servers): boolean {
  return typeof (reranker ?? pairScorer) === "object";
}

/**
 * Ranks by the file's reranker, or else by its pair scorer.
 *
 * @param parts.pairScorer makes the pair scorer when it is needed
 * @param parts.asksLm is told which LM of the file will rank
 */
function rerankerPart(
  { reranker: given, pairScorer: pairs }: Servers,
  sources: PartSources,
  parts: { readonly pairScorer: () => PairScorer; readonly asksLm: (lm: string) => void },
): (choice?: RerankerChoice) => PassageReranker {
  let connected: Reranker | undefined;
  return ({ instruction, mock = () => lexicalReranker() } = {}) => {
    if (typeof given === "object" && "lm" in given) {
      parts.asksLm(given.lm);
      return yesNoReranker({ name: yesNoName, ...(instruction && { question: instruction }) });
    }
    if (typeof given === "object") {
      connected ??= sources.connected(
        "reranker",
        connectReranker(sources.reach(given, "reranker")),
      );
      return modelReranker({ reranker: connected });
    }
    if (given === undefined && typeof pairs === "object") {
      const scorer = parts.pairScorer();
      return pairs.template === "qwen3-reranker"
        ? qwen3Reranker({ scorer, ...(instruction && { instruction }) })
        : pairReranker({ scorer });
    }
    const byName = ({ name }: PassageReranker) => ({ provider: "espalier", model: name });
    return sources.mock("reranker", given, mock, byName);
  };
}

/** The name under which that reranker asks the run for its LM. */
export const yesNoName = "yesNo";

/** The server that the file names, or else the one of the LM that answers. */
function tokenServer(
  { tokenizer, lms }: Servers,
  answer: TokenServer | undefined,
): TokenServer | undefined {
  if (tokenizer === undefined) return answer;
  if (typeof tokenizer === "object") return tokenizer;
  const lm = lms[tokenizer];
  if (lm === undefined) return undefined;
  const { url, price: _price, ...reached } = lm;
  const [first = ""] = [url].flat();
  return { ...reached, url: anyUrlOf(first) };
}

function tokenizerPart(
  servers: Servers,
  sources: PartSources,
  answer: TokenServer | undefined,
): Tokenizer {
  const server = tokenServer(servers, answer);
  if (server === undefined) {
    const identityOf = ({ identity }: Tokenizer) => identity;
    return sources.mock("tokenizer", servers.tokenizer, estimatingTokenizer, identityOf);
  }
  // Counting is free: the ledger has no role for it.
  const { ledger: _ledger, ...reached } = sources.reach(server, "tokenizer");
  return sources.connected("tokenizer", connectTokenizer(reached));
}
