import type { Embedder, LmIdentity, PairScorer } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { ServerOptions, TextConnectOptions } from "../lm/index.ts";
import type { PlayedPart, StandIn } from "../stand-in/index.ts";
import { isStandIn } from "../stand-in/index.ts";
import type { Environment } from "./key-of.ts";
import { keyOf } from "./key-of.ts";
import { standInMark } from "./servers-file.ts";

/** What `@espalier/rehearsal` can play. */
export interface StandInModels {
  rehearsalEmbedder(): Embedder;
  rehearsalScorer(): PairScorer;
}

export interface PartSourcesOptions
  extends TextConnectOptions, Pick<ServerOptions, "stallTimeoutMs"> {
  /** Needed for the parts that these models play. */
  readonly standInModels?: StandInModels | undefined;
  /** Whether stand-ins play the parts that no server plays. @default false */
  readonly fillsGaps?: boolean;
  /** Holds the keys: `process.env`. @default empty */
  readonly environment?: Environment;
}

/** Where the parts of one run come from: servers, or stand-ins, each of which is remembered. */
export interface PartSources {
  /**
   * Options to connect to an entry of the servers file.
   *
   * @throws EspalierError `key-missing`
   */
  reach<TServer extends PartServer>(server: TServer, part: string): Reached<TServer>;
  /** The model itself. It is remembered if it is a stand-in, as behind a rehearsal server's URL. */
  connected<TModel extends { readonly identity: LmIdentity }>(
    part: PlayedPart,
    model: TModel,
  ): TModel;
  /**
   * A stand-in, if the file marks the part for one, or if gaps are filled.
   *
   * @param given the file's entry
   * @throws EspalierError `part-missing`
   */
  standIn<TPart>(part: PlayedPart, given: unknown, make: () => TPart, named: Naming<TPart>): TPart;
  /** @throws EspalierError `part-missing` where they are not installed */
  models(): StandInModels;
  standIns(): readonly StandIn[];
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
  standInModels,
  fillsGaps = false,
  environment = {},
  ...wrappers
}: PartSourcesOptions): PartSources {
  const standIns = new Map<string, StandIn>();
  const remember = (part: PlayedPart, { provider, model }: LmIdentity): void => {
    standIns.set(`${part} ${provider} ${model}`, { part, provider, model });
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
      if (isStandIn(model.identity)) remember(part, model.identity);
      return model;
    },
    standIn: (part, given, make, named) => {
      if (given !== standInMark && !fillsGaps) throw missing(part);
      const made = make();
      remember(part, named(made));
      return made;
    },
    models: () => {
      if (standInModels !== undefined) return standInModels;
      throw new EspalierError({
        code: "part-missing",
        problem: "A stand-in is to play a part, and none is installed",
        expected: "the package @espalier/rehearsal",
        fix: "Name a server for the part, or run `npm install --save-dev @espalier/rehearsal`.",
      });
    },
    standIns: () => [...standIns.values()],
  };
}

function missing(part: PlayedPart): EspalierError {
  return new EspalierError({
    code: "part-missing",
    problem: `The program needs ${nouns[part]}, and nothing plays it`,
    expected: `${examples[part] ?? `"${part}": { "url": "http://127.0.0.1:8001/v1", "model": "..." }`} in espalier.servers.json`,
    fix: "Or add --rehearsal: stand-ins then play what no option names, and results name them.",
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
