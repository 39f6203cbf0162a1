import type { LmReply } from "../../contract/index.ts";

/** Keeps replies by call key. A `Map` is one, for as long as the process lives. */
export interface ReplyCache {
  get(key: string): LmReply | undefined;
  set(key: string, reply: LmReply): unknown;
}
