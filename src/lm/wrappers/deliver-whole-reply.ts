import type { LmCallOptions, LmReply } from "../../contract/index.ts";

/** Gives a reply that is already there to whoever asked for a stream: in one piece. */
export function deliverWholeReply(reply: LmReply, { onDelta }: LmCallOptions): LmReply {
  const { content, reasoning } = reply;
  if (onDelta !== undefined && (content || reasoning)) {
    onDelta({ ...(content ? { content } : {}), ...(reasoning ? { reasoning } : {}) });
  }
  return reply;
}
