import type { LmReply } from "../../contract/index.ts";

/** Keeps replies by call key. A `Map` qualifies, for the lifetime of the process. */
export interface ReplyCache {
  get(key: string): LmReply | undefined;
  set(key: string, reply: LmReply): unknown;
}
