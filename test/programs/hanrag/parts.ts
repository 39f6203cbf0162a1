import type { RankedPassage, Trace, TraceNode } from "espalier";
import { bm25Index } from "espalier/retrieval";
import type { HanragOptions } from "../../../programs/hanrag/index.ts";
import { hanrag } from "../../../programs/hanrag/index.ts";
import { shelf } from "../../retrieval/shelf.ts";
import type { Script } from "./scripted-steps.ts";
import { scriptedSteps } from "./scripted-steps.ts";

type CallNode = Exclude<TraceNode, { readonly kind: "scope" }>;

export const question = "When was the iron footbridge of Ostrel finished?";

export interface Ran {
  readonly output: {
    readonly answer: string;
    readonly route: string;
    readonly steps: number;
    readonly solved: readonly { readonly question: string; readonly answer: string }[];
    readonly passages: readonly RankedPassage[];
  };
  readonly trace: Trace;
  /** Every call in the order it started, without the scopes. */
  readonly paths: readonly string[];
  asked(step: Parameters<Awaited<ReturnType<typeof scriptedSteps>>["asked"]>[0]): readonly string[];
}

export interface RunSetting extends Partial<HanragOptions> {
  readonly script?: Script;
  readonly input?: Parameters<ReturnType<typeof hanrag>["run"]>[0];
  readonly parameters?: Readonly<Record<string, number | string>>;
}

/** Answers a question about the towns, with a server that replies as scripted. */
export async function ran({
  script,
  input = { question },
  parameters = {},
  ...options
}: RunSetting = {}): Promise<Ran> {
  await using server = await scriptedSteps(script);
  await using retriever = await bm25Index({ corpus: shelf });
  const attempt = await hanrag({ retriever, ...options })
    .with(
      Object.entries(parameters).map(
        ([path, value]) => ({ kind: "parameter", path, value }) as const,
      ),
    )
    .attempt(input, { lm: server.lm });
  if (attempt.state === "failed") throw attempt.error;
  const { output, trace } = attempt;
  const asked = (step: Parameters<typeof server.asked>[0]) => server.asked(step);
  return { output, trace, paths: callsOf(trace.children).map(({ path }) => path), asked };
}

function callsOf(nodes: readonly TraceNode[]): readonly CallNode[] {
  return nodes.flatMap((node) => (node.kind === "scope" ? callsOf(node.children) : [node]));
}

/** The call at a path. */
export function callAt({ children }: Trace, path: string): CallNode {
  const found = callsOf(children).find((call) => call.path === path);
  if (found === undefined) throw new Error(`The trace has no call at "${path}".`);
  return found;
}
