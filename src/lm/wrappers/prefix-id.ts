import type { LmRequest } from "../../contract/index.ts";
import { contentHash } from "../../internal/index.ts";

/**
 * The shared part of all requests of one predictor of one candidate: the system message, or the
 * first message without one. Corrections keep it, and so do other demonstrations, since they come
 * after it.
 */
export function prefixId({ messages: [first] }: LmRequest): string {
  return contentHash([first?.role ?? "", first?.content ?? ""]);
}
