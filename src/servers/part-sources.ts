import type { Embedder, LmIdentity, PairScorer } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { ServerOptions, TextConnectOptions } from "../lm/index.ts";
import type { PlayedPart, Mock } from "../mock/index.ts";
import { isMock } from "../mock/index.ts";
import type { Environment } from "./key-of.ts";
import { keyOf } from "./key-of.ts";
import { mockMark } from "./servers-file.ts";

/** What `@espalier/rehearsal` can play. */
export interface MockModels {
  rehearsalEmbedder(): Embedder;
  rehearsalScorer(): PairScorer;
}

export interface PartSourcesOptions
  extends TextConnectOptions, Pick<ServerOptions, "stallTimeoutMs"> {
  /** Needed for the parts that these models play. */
  readonly mockModels?: MockModels | undefined;
  /** Whether mocks play the parts that no server plays. @default false */
  readonly fillsGaps?: boolean;
  /** Holds the keys: `process.env`. @default empty */
  readonly environment?: Environment;
}

/** Where the parts of one run come from: servers, or mocks, each of which is remembered. */
export interface PartSources {
  /**
   * Options to connect to an entry of the servers file.
   *
   * @throws EspalierError `key-missing`
   */
  reach<TServer extends PartServer>(server: TServer, part: string): Reached<TServer>;
  /** The model itself. It is remembered if it is a mock, as behind a rehearsal server's URL. */
  connected<TModel extends { readonly identity: LmIdentity }>(
    part: PlayedPart,
    model: TModel,
  ): TModel;
  /**
   * A mock, if the file marks the part for one, or if gaps are filled.
   *
   * @param given the file's entry
   * @throws EspalierError `part-missing`
   */
  mock<TPart>(part: PlayedPart, given: unknown, make: () => TPart, named: Naming<TPart>): TPart;
  /** @throws EspalierError `part-missing` where they are not installed */
  models(): MockModels;
  mocks(): readonly Mock[];
}

interface PartServer {
  readonly url: string;
  readonly keyVariable?: string;
  readonly concurrency?: number;
}

type Reached<TServer> = Omit<TServer, keyof PartServer> &
  TextConnectOptions & { readonly baseUrl: string; readonly apiKey?: string };

type Naming<TPart> = (part: TPart) => LmIdentity;

export function partSources({
  mockModels,
  fillsGaps = false,
  environment = {},
  ...wrappers
}: PartSourcesOptions): PartSources {
  const mocks = new Map<string, Mock>();
  const remember = (part: PlayedPart, { provider, model }: LmIdentity): void => {
    mocks.set(`${part} ${provider} ${model}`, { part, provider, model });
  };
  return {
    reach: ({ url, keyVariable, concurrency, ...settings }, part) => ({
      ...wrappers,
      ...settings,
      ...(concurrency !== undefined && { concurrency }),
      ...keyOf(keyVariable, part, environment),
      baseUrl: url,
    }),
    connected: (part, model) => {
      if (isMock(model.identity)) remember(part, model.identity);
      return model;
    },
    mock: (part, given, make, named) => {
      if (given !== mockMark && !fillsGaps) throw missing(part);
      const made = make();
      remember(part, named(made));
      return made;
    },
    models: () => {
      if (mockModels !== undefined) return mockModels;
      throw new EspalierError({
        code: "part-missing",
        problem: "A part needs a mock, but none is installed",
        expected: "the package @espalier/rehearsal",
        fix: "Name a server for the part, or run `npm install --save-dev @espalier/rehearsal`.",
      });
    },
    mocks: () => [...mocks.values()],
  };
}

function missing(part: PlayedPart): EspalierError {
  return new EspalierError({
    code: "part-missing",
    problem: `The program needs ${nouns[part]}, but no server or mock plays it`,
    expected: `${examples[part] ?? `"${part}": { "url": "http://127.0.0.1:8001/v1", "model": "..." }`} in espalier.servers.json`,
    fix: "Or add --rehearsal: mocks then play every part that no option names, and results name them.",
  });
}

const nouns: Readonly<Record<PlayedPart, string>> = {
  lm: "an LM",
  reflectionLm: "a reflection LM",
  judgeLm: "a judge LM",
  teacherLm: "a teacher LM",
  embedder: "an embedder",
  reranker: "a reranker",
  pairScorer: "a pair scorer",
  tokenizer: "a tokenizer",
};

const examples: Readonly<Partial<Record<PlayedPart, string>>> = {
  judgeLm: '"roles": { "judge": "NAME" }',
  tokenizer: '"tokenizer": "NAME", an LM that vLLM serves,',
};
