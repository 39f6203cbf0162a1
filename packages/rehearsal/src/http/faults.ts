import { EspalierError } from "../../../../src/errors/index.ts";
import { randomSource } from "../../../../src/internal/index.ts";

/** Shares of received calls that go wrong, each in [0, 1]. */
export interface FaultShares {
  /** Never sends anything. */
  readonly stall?: number;
  readonly rateLimit?: number;
  readonly serverError?: number;
  /** Invalid JSON, an HTML page, JSON of another shape, a truncated body, a connection reset. */
  readonly brokenEnvelope?: number;
  /** Status 503, as a gateway sends it while the server behind it is away. */
  readonly unavailable?: number;
  /**
   * A valid envelope whose content is not the requested JSON. Unlike the others, it is drawn by
   * request rather than by call, so that repeating a request gives the same result.
   */
  readonly unparseableContent?: number;
}

export type CallFault =
  | "stall"
  | "rate-limit"
  | "server-error"
  | "unavailable"
  | "invalid-json"
  | "html-page"
  | "wrong-shape"
  | "truncated-body"
  | "connection-reset";

export interface Faults {
  /** The fault of the call with this index; each call has its own draw. */
  ofCall(index: number): CallFault | undefined;
  /** Whether the request with this hash gets content that cannot be parsed. */
  spoils(requestHash: string): boolean;
}

/** @throws EspalierError `parameter-invalid` unless every share and the sum by call is in [0, 1] */
export function faultsOf(shares: FaultShares, seed: number): Faults {
  const { stall = 0, rateLimit = 0, serverError = 0, brokenEnvelope = 0 } = shares;
  const { unavailable = 0, unparseableContent = 0 } = shares;
  const byCall = [stall, rateLimit, serverError, brokenEnvelope, unavailable];
  const total = byCall.reduce((sum, share) => sum + share, 0);
  const isShare = (share: number): boolean => share >= 0 && share <= 1;
  if (![...byCall, total - 1e-9 < 1 ? 0 : total, unparseableContent].every(isShare)) {
    throw new EspalierError({
      code: "parameter-invalid",
      problem: "The fault shares are outside their range",
      expected: "shares in [0, 1]; the shares per call add up to at most 1",
      got: JSON.stringify(shares),
    });
  }
  return {
    ofCall: (index) => {
      if (total === 0) return undefined;
      const random = randomSource(seed, "rehearsal-fault", index);
      const drawn = random.random();
      if (drawn < stall) return "stall";
      if (drawn < stall + rateLimit) return "rate-limit";
      if (drawn < stall + rateLimit + serverError) return "server-error";
      if (drawn < total - unavailable) return random.choice(brokenEnvelopes);
      return drawn < total ? "unavailable" : undefined;
    },
    spoils: (requestHash) =>
      unparseableContent > 0 &&
      randomSource(seed, `rehearsal-content/${requestHash}`).random() < unparseableContent,
  };
}

const brokenEnvelopes: readonly CallFault[] = [
  "invalid-json",
  "html-page",
  "wrong-shape",
  "truncated-body",
  "connection-reset",
];

/** Turns valid content into content that no JSON parser accepts. */
export function spoilt(text: string): string {
  return `As asked, here it is: ${text.slice(0, Math.floor(text.length / 2))}`;
}
