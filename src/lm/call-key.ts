import type { LmIdentity, LmRequest } from "../contract/index.ts";
import { contentHash } from "../internal/index.ts";

/** What a reply depends on: 64 hexadecimal digits over model, whole request and repetition. */
export function callKey(identity: LmIdentity, request: LmRequest, repetition: number): string {
  return contentHash({ identity, request, repetition });
}
