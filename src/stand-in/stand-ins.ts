import type { LmIdentity } from "../contract/index.ts";

/** A part of a run that a model, or a stand-in, can play. */
export type PlayedPart = (typeof playedParts)[number];

export const playedParts = [
  "lm",
  "reflectionLm",
  "judgeLm",
  "teacherLm",
  "embedder",
  "reranker",
  "pairScorer",
  "tokenizer",
] as const;

/** A part and the stand-in that played it. */
export interface StandIn extends LmIdentity {
  readonly part: PlayedPart;
}

/** The parts that a stand-in plays. */
export function standInsAmong(
  parts: Readonly<Partial<Record<PlayedPart, LmIdentity | undefined>>>,
): readonly StandIn[] {
  return playedParts.flatMap((part) => {
    const identity = parts[part];
    if (identity === undefined || !isStandIn(identity)) return [];
    const { provider, model } = identity;
    return [{ part, provider, model }];
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

/** Those among the LMs that answer. */
export function standInLms(lms: readonly { readonly identity: LmIdentity }[]): readonly StandIn[] {
  return distinctStandIns(lms.flatMap(({ identity }) => standInsAmong({ lm: identity })));
}

/** Whether a language model was played by a stand-in, so that its texts are not a model's. */
export function isRehearsal(standIns: readonly StandIn[]): boolean {
  return standIns.some((each) => languageModels.has(each.part) && isStandIn(each));
}

const languageModels: ReadonlySet<PlayedPart> = new Set<PlayedPart>([
  "lm",
  "reflectionLm",
  "judgeLm",
  "teacherLm",
]);

/** Each part and stand-in once, in the order of their first appearance. */
export function distinctStandIns(standIns: readonly StandIn[]): readonly StandIn[] {
  const keyOf = ({ part, provider, model }: StandIn): string =>
    JSON.stringify([part, provider, model]);
  return [...new Map(standIns.map((each) => [keyOf(each), each])).values()];
}
