import type { LmCallOptions, LmReply } from "../../contract/index.ts";

/** Delivers a complete reply to a caller that asked for a stream: in one piece. */
export function deliverWholeReply(reply: LmReply, { onDelta }: LmCallOptions): LmReply {
  const { content, reasoning } = reply;
  if (onDelta !== undefined && (content || reasoning)) {
    onDelta({ ...(content ? { content } : {}), ...(reasoning ? { reasoning } : {}) });
  }
  return reply;
}
