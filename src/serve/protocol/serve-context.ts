import type { ModelTable } from "../versions/model-table.ts";
import type { AnswerQuestion } from "../answer/answer-question.ts";
import type { ServerLog } from "../telemetry/server-log.ts";

/** What the routes of a protocol work with. */
export interface ServeContext {
  readonly name: string;
  readonly models: ModelTable;
  readonly ask: AnswerQuestion;
  readonly log: ServerLog;
  /**
   * Name of the key that a request was made with; `undefined` where the server is open. Call it
   * when the body was read, just before `ask`: a key may be revoked in between.
   *
   * @throws ApiError 401
   */
  keyNameOf(request: Request): string | undefined;
  /** The JSON of a body, within the server's limits. */
  readJson(request: Request): Promise<unknown>;
  /** A new id: `chatcmpl-` and the 32 hexadecimal digits of a random UUID. */
  newId(prefix: string): string;
  now(): Date;
  /** What a stand-in's answers are labelled with: `rehearsal`; empty where a model answers. */
  readonly standIn: string;
  /** Of one request for a chat. */
  readonly maxMessages: number;
  /** Silence of a stream after which a comment is sent. */
  readonly keepAliveMs: number;
}
