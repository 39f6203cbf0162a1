import type { Hono } from "hono";
import type { z } from "zod";
import type { Json, Turn } from "../../contract/index.ts";
import type { AnswerQuestion } from "../answer/answer-question.ts";
import type { ChatOutcome } from "../model/chat-exchange.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import type { ModelTable } from "../versions/model-table.ts";
import type { Mock } from "../../mock/index.ts";

/**
 * A protocol: routes of a server, and the rows of `espalier batch`. `espalier serve` and `espalier
 * batch` accept a file that default-exports one as `--protocol FILE`.
 */
export interface ProtocolAdapter {
  /**
   * Exact paths that need no key.
   * @default none: every route needs a key if the server has keys
   */
  readonly openPaths?: readonly string[];
  /**
   * Fields of `GET /health` that the protocol's clients expect; they replace the server's own.
   * @default none
   */
  readonly health?: Readonly<Record<string, Json>>;
  /** Models that its routes answer with; `espalier serve` checks that they exist. @default none */
  readonly models?: readonly string[];
  /** Rows of `espalier batch --protocol`. @default none */
  readonly batch?: BatchFormat;
  /**
   * Adds the routes, for example `app.post("/run", (c) => ...)`. `c.req.raw` is the Web-standard
   * `Request`, and a handler may return any `Response`; an `ApiError` that it throws becomes the
   * response.
   */
  mount(app: Hono, context: ServeContext): void;
}

/** The server, as the routes of a protocol see it. */
export interface ServeContext {
  readonly name: string;
  readonly models: ModelTable;
  readonly ask: AnswerQuestion;
  readonly log: ServerLog;
  /**
   * Name of the key that a request was made with; `undefined` if the server is open. Call it after
   * reading the body, just before `ask`: a key may be revoked in between.
   *
   * @throws ApiError 401
   */
  keyNameOf(request: Request): string | undefined;
  /** The JSON of a body, within the server's limits. */
  readJson(request: Request): Promise<unknown>;
  /** A new id: `chatcmpl-` and the 32 hexadecimal digits of a random UUID. */
  newId(prefix: string): string;
  now(): Date;
  /** The parts that mocks play; each answer is labelled. */
  readonly mocks: readonly Mock[];
  /** A stream that is silent for this long sends a comment. */
  readonly keepAliveMs: number;
}

/** A row of a protocol's questions. */
export interface BatchQuestion {
  /** Unique in its file; 1 and "1" are the same. */
  readonly id: string | number;
  readonly question: string;
  /** The conversation before the question, oldest turn first. @default none */
  readonly history?: readonly Turn[];
}

/** How lines of a result are written, and recognized when a batch resumes. */
export interface LineFormat {
  /**
   * The id in a line of an earlier run; `undefined` for anything that is not a line of this format.
   */
  idIn(line: unknown): string | number | undefined;
  /** What a line is, for messages: ``an object with `id` and `output` ``. */
  readonly shape: string;
}

/** How `espalier batch --protocol` reads questions and writes answers. */
export interface BatchFormat extends LineFormat {
  /** Reads one row of the input, and checks it. */
  readonly row: z.ZodType<BatchQuestion>;
  /** What the input calls the id, for messages. */
  readonly idName: string;
  /** The line of an answer. */
  lineOf(id: string | number, outcome: ChatOutcome): object;
  /** The line of a question that the program failed on. */
  failedLine(id: string | number, message: string): object;
}
