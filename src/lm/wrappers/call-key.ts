import type { LmIdentity, LmRequest } from "../../contract/index.ts";
import { contentHash } from "../../internal/index.ts";

/** Identifies a call by everything its reply depends on: 64 hexadecimal digits. */
export type CallKey = (request: LmRequest, repetition: number) => string;

/**
 * Keys over model, whole request and repetition. Many requests share schema and sampling objects,
 * so each object is hashed once; this is sound because neither ever changes.
 */
export function callKeys(identity: LmIdentity): CallKey {
  const hashes = new WeakMap<object, string>();
  const hashOf = (shared: object | undefined): string | undefined => {
    if (shared === undefined) return undefined;
    let hash = hashes.get(shared);
    if (hash === undefined) hashes.set(shared, (hash = contentHash(shared)));
    return hash;
  };
  return (request, repetition) => {
    const { sampling, responseSchema, tools } = request;
    const shared = {
      sampling: hashOf(sampling),
      responseSchema: hashOf(responseSchema),
      ...(tools && { tools: hashOf(tools) }),
    };
    return contentHash({ identity, repetition, request: { ...request, ...shared } });
  };
}
