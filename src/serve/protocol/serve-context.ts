import type { ModelTable } from "../versions/model-table.ts";
import type { StandIn } from "../../stand-in/index.ts";
import type { AnswerQuestion } from "../answer/answer-question.ts";
import type { ServerLog } from "../telemetry/server-log.ts";

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
  /** The parts that stand-ins play; each answer is labelled. */
  readonly standIns: readonly StandIn[];
  /** Maximum messages of one chat request. */
  readonly maxMessages: number;
  /** A stream that is silent for this long sends a comment. */
  readonly keepAliveMs: number;
}
