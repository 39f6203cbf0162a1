/** The content of `espalier.servers.json`: which server plays which part. */
export interface Servers {
  /** For editors: where the file's JSON schema is. */
  readonly $schema?: string;
  readonly format: "espalier-servers/1";
  /** Language models, by names that the user chooses. */
  readonly lms: Readonly<Record<string, LmServer>>;
  /** The names of LMs, or `rehearsal`. `answer` plays those that are absent. */
  readonly roles: { readonly [Role in "answer" | "reflection" | "judge"]?: string };
  /** The LMs of single predictors, in every program that has them. */
  readonly predictors: Readonly<Record<string, string>>;
  readonly embedder?: EmbedderServer | LocalModel | "rehearsal";
  /** `lm`: ranks by the probability that this LM says yes. */
  readonly reranker?: TextServer | { readonly lm: string } | "rehearsal";
  /** Also ranks where no reranker is named. */
  readonly pairScorer?: PairScorerServer | "rehearsal";
  /** An LM that its server also counts for, a server, or `rehearsal`. @default `roles.answer` */
  readonly tokenizer?: string | ModelServer;
  readonly search?: SearchServer;
}

/** A model in this process, as `connectLocalEmbedder` takes it. */
export type LocalModel = `local:${string}`;

/** How to reach a model. */
interface ModelServer {
  /** Root of the OpenAI-compatible routes. */
  readonly url: string;
  readonly model: string;
  /** Environment variable that holds the key. Without it, no key is sent. */
  readonly keyVariable?: string;
  /** Maximum concurrent requests. @default the command's */
  readonly concurrency?: number;
}

/** How to reach an LM. */
export interface LmServer extends Omit<ModelServer, "url"> {
  /** Several serve the same model. */
  readonly url: string | readonly string[];
  /** US dollars per million tokens. */
  readonly price?: {
    readonly promptUsdPerMillion: number;
    readonly completionUsdPerMillion: number;
  };
}

interface TextServer extends ModelServer {
  /** Tokens after which the server truncates a text; -1 for the model's maximum. */
  readonly truncatePromptTokens?: number;
}

interface EmbedderServer extends TextServer {
  /** Texts per request. */
  readonly batchSize?: number;
}

interface PairScorerServer extends TextServer {
  /** The prompt that the model was trained on. @default none */
  readonly template?: "qwen3-reranker";
}

/** See `httpSearch`. */
interface SearchServer {
  readonly url: string;
  readonly keyVariable?: string;
  /** The header that carries the key. */
  readonly keyHeader: string;
  readonly queryParameter?: string;
  readonly countParameter?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly version?: string;
}
