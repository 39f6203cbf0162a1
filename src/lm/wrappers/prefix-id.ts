import type { LmRequest } from "../../contract/index.ts";
import { contentHash } from "../../internal/index.ts";

/**
 * What requests of one predictor of one candidate have in common: the system message, or the first
 * one where there is none. Corrections keep it; other demonstrations do not change it, since they
 * stand behind it.
 */
export function prefixId({ messages: [first] }: LmRequest): string {
  return contentHash([first?.role ?? "", first?.content ?? ""]);
}

/** All that stands before the last message, demonstrations too; `undefined` where nothing does. */
export function sharedPrefixId({ messages }: LmRequest): string | undefined {
  return messages.length < 2 ? undefined : contentHash(messages.slice(0, -1));
}
