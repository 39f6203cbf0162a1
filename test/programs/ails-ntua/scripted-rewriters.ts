import type { ReceivedRequest, ScriptedLm, ScriptedReply } from "../../support/scripted-lm.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";

export type RewriterName =
  | "rewrite-minimally"
  | "rewrite-for-encyclopedia"
  | "rewrite-for-finance-forum"
  | "rewrite-for-agency-pages"
  | "rewrite-for-cloud-documentation"
  | "rewrite-step-by-step"
  | "write-hypothetical-passage"
  | "rewrite-with-keywords";

/** What each rewriter replies, to a correction, too. */
export type RewriterScript = Partial<Record<RewriterName, () => ScriptedReply>>;

export interface ScriptedRewriters extends ScriptedLm {
  /** Every request of one rewriter, in order. */
  asked(name: RewriterName): readonly ReceivedRequest[];
}

/**
 * A language-model server that replies sensibly to every rewriter, and as the test says to some.
 */
export async function scriptedRewriters(script: RewriterScript = {}): Promise<ScriptedRewriters> {
  const replies = { ...sensible, ...script };
  const server = await scriptedLm((request) => replies[nameOf(request)]());
  return {
    ...server,
    asked: (name) => server.received.filter((request) => nameOf(request) === name),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export const rewritten = (query: string): string =>
  JSON.stringify({ kind: "non-standalone", rewritten: query });

const sensible: Record<RewriterName, () => ScriptedReply> = {
  "rewrite-minimally": () => rewritten("iron footbridge minimal"),
  "rewrite-for-encyclopedia": () => rewritten("iron footbridge encyclopedia"),
  "rewrite-for-finance-forum": () => rewritten("iron footbridge forum"),
  "rewrite-for-agency-pages": () => rewritten("iron footbridge agency"),
  "rewrite-for-cloud-documentation": () => rewritten("iron footbridge documentation"),
  "rewrite-step-by-step": () =>
    JSON.stringify({
      reasoning: "It is the bridge.",
      kind: "non-standalone",
      rewritten: "iron footbridge by steps",
    }),
  "write-hypothetical-passage": () =>
    JSON.stringify({
      standalone: "When was the footbridge finished?",
      passage: "The footbridge of Ostrel was finished in 1902.",
    }),
  "rewrite-with-keywords": () =>
    JSON.stringify({
      kind: "non-standalone",
      rewritten: "footbridge of Ostrel finished",
      anchors: ["Ostrel"],
      keywords: ["finished", "year"],
    }),
};

function nameOf({ response_format: format }: ReceivedRequest): RewriterName {
  return format?.json_schema.name as RewriterName;
}
