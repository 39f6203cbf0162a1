import type { LmIdentity } from "../contract/index.ts";

/** A part of a run that a model, or a stand-in, can play. */
export type PlayedPart =
  | "lm"
  | "reflectionLm"
  | "judgeLm"
  | "embedder"
  | "reranker"
  | "scorer"
  | "tokenizer";

/** A part and the stand-in that played it. */
export interface StandIn extends LmIdentity {
  readonly part: PlayedPart;
}

/** The parts that a stand-in plays, in the given order. */
export function standInsAmong(
  parts: Readonly<Partial<Record<PlayedPart, LmIdentity | undefined>>>,
): readonly StandIn[] {
  return Object.entries(parts).flatMap(([part, identity]) => {
    if (identity === undefined || !isStandIn(identity)) return [];
    const { provider, model } = identity;
    return [{ part: part as PlayedPart, provider, model }];
  });
}

/**
 * Whether an identity, possibly read from a file, is that of a stand-in. A rehearsal server reveals
 * itself by its model's name, so that a URL does not hide it. Returns false for anything that is
 * not an identity.
 */
export function isStandIn(identity: unknown): boolean {
  if (typeof identity !== "object" || identity === null) return false;
  const { provider, model }: { readonly provider?: unknown; readonly model?: unknown } = identity;
  if (typeof provider !== "string" || typeof model !== "string") return false;
  return /\brehearsal\b/.test(`${provider} ${model}`);
}
