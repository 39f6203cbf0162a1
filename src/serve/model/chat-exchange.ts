import type {
  ImageUrl,
  Turn,
  Passage,
  LmCallRecord,
  LmUsage,
  Trace,
  TraceNode,
  ClientCall,
} from "../../contract/index.ts";
import type { Failure } from "../../errors/index.ts";
import { sumKnown } from "../../internal/index.ts";

/** A person's question to a chat model. */
export interface ChatQuestion {
  /** The last message of the user. */
  readonly question: string;
  /** The conversation before it, oldest turn first. */
  readonly history: readonly Turn[];
  /**
   * The images of the user's last message that has any, in order; none for a program without a
   * field for them.
   */
  readonly images: readonly ImageUrl[];
  /** For programs that take the current time as input. */
  readonly askedAt: Date;
}

/** A document that an answer cites. */
export interface Citation {
  /** Address of the document; `urn:passage:ID` for a passage without one. */
  readonly url: string;
  readonly iconUrl?: string;
  /** The date in the collection's own form. */
  readonly date?: string;
  readonly title?: string;
  readonly text: string;
  /** Id of the document in its collection. */
  readonly sid: string;
  /** Position of the chunk in its document, from 0. */
  readonly chunkIdx?: number;
}

/** The answer of a chat model, independent of the fields of its program. */
export interface ChatAnswer {
  readonly answer: string;
  /** In the answer's numbering order; [1] is the first. @default none */
  readonly citations?: readonly Citation[];
  /** Texts that the answer is based on. @default those of the citations */
  readonly contexts?: readonly string[];
}

/**
 * Turns passages into citations: address, date, icon and chunk come from `metadata` (`url`, `date`,
 * `iconUrl`, `chunkIdx`), the rest from the passage.
 */
export function citationsOf(passages: readonly Passage[]): readonly Citation[] {
  return passages.map(({ id, title, text, metadata = {} }) => {
    const { url, date, iconUrl, chunkIdx } = metadata;
    return {
      url: isText(url) ? url : `urn:passage:${encodeURIComponent(id)}`,
      ...(isText(iconUrl) && { iconUrl }),
      ...(isText(date) && { date }),
      ...(isText(title) && { title }),
      text,
      sid: id,
      ...(typeof chunkIdx === "number" && { chunkIdx }),
    };
  });
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** The cost of one answer, summed over all language model calls of the program. */
export interface ChatUsage extends LmUsage {
  /** Requests, including failed ones, whose tokens are unknown and not counted. */
  readonly lmCalls: number;
}

/**
 * Sums a trace. Cached replies count like sent requests; a field that is `null` for one reply is
 * `null` in the sum.
 */
export function traceUsage({ children }: Pick<Trace, "children">): ChatUsage {
  const calls = children.flatMap((node) => callsIn(node));
  return calls.reduce<ChatUsage>(
    (sum, { usage }) => (usage === null ? sum : withUsage(sum, usage)),
    { ...noUsage, lmCalls: calls.length },
  );
}

/** The usage of a run without LM calls. */
export const noUsage: ChatUsage = Object.freeze({
  promptTokens: 0,
  completionTokens: 0,
  cachedPromptTokens: 0,
  reasoningTokens: 0,
  lmCalls: 0,
});

function callsIn(node: TraceNode): readonly LmCallRecord[] {
  if (node.kind === "scope") return node.children.flatMap((child) => callsIn(child));
  return node.calls ?? [];
}

function withUsage(sum: ChatUsage, usage: LmUsage): ChatUsage {
  return {
    lmCalls: sum.lmCalls,
    promptTokens: sumKnown(sum.promptTokens, usage.promptTokens),
    completionTokens: sumKnown(sum.completionTokens, usage.completionTokens),
    cachedPromptTokens: sumKnown(sum.cachedPromptTokens, usage.cachedPromptTokens),
    reasoningTokens: sumKnown(sum.reasoningTokens, usage.reasoningTokens),
  };
}

/** How a model's run on one question ended. */
export interface ChatOutcome {
  /** Empty after a failure. */
  readonly answer: string;
  readonly citations: readonly Citation[];
  readonly contexts: readonly string[];
  /** What the program returned, field by field; absent after a failure. */
  readonly output?: unknown;
  readonly usage: ChatUsage;
  /** The version of the model that answered. */
  readonly version: string;
  /** `null` if the run did not begin, or did not end. */
  readonly trace: Trace | null;
  readonly failure?: Failure;
  /** Set instead of an answer if the program's agent asks for tools of the client. */
  readonly clientCalls?: readonly ClientCall[];
}

/** Scores an answer in [0, 1], as far as that is possible at once and at no cost. */
export type LiveMetric = (answered: LiveAnswer) => number;

export interface LiveAnswer {
  readonly question: string;
  readonly history: readonly Turn[];
  /** The outcome of a run that did not fail. */
  readonly outcome: ChatOutcome;
}
