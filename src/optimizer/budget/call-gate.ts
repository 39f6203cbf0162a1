import type { LanguageModel, LmReply, LmRequest, LmRole } from "../../contract/index.ts";
import { filesIn, imagesIn, textOfMessage } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Admission } from "./admission.ts";
import { admission } from "./admission.ts";
import type { Budget } from "./budget.ts";
import { budgetStop } from "./budget.ts";
import type { RoleUsage, Usage } from "./usage.ts";
import { noUsage, oneCall, sumByRole, toolCallsOf, totalUsage } from "./usage.ts";

/** The largest worst case among several calls, in tokens. */
export type WorstTokens = number;

/**
 * Keeps LM calls, tool calls and tokens, counted as if nothing were cached, under their caps.
 *
 * Whether a call fits can depend on which others have ended, but whether a step stands must not.
 * `settle` therefore rejects a step if any order of its calls would have been rejected, so the same
 * steps stand at any concurrency.
 */
export interface CallGate {
  /** `scope` separates calls for the same example when a step makes them for several candidates. */
  wrap(lm: LanguageModel, scope?: string): LanguageModel;
  /** The admissions that hold the caps, for room that is reserved for a whole run. */
  readonly caps: Readonly<Record<"lmCalls" | "toolCalls" | "tokens", Admission>>;
  /** Starts a step; a call repeated within it after a fault counts once. */
  start(): void;
  /** Counts calls of this step that an earlier process made. */
  addRecorded(usage: RoleUsage, worst: WorstTokens): void;
  worstOf(scope: string, exampleId: string): WorstTokens;
  /** Ends a step with the usage that stands; throws `budget-exhausted` if it does not fit. */
  settle(stands: Usage, toolCalls?: number): void;
  /** Calls of the running step so far, or of the last one that ended. */
  readonly step: RoleUsage;
  /** Totals over the steps that stand. */
  readonly spent: { readonly lmCalls: number; readonly tokens: number };
}

export function callGate({
  lmCalls: callCap,
  tokens: tokenCap,
  toolCalls: toolCap,
  costUsd,
}: Budget): CallGate {
  const calls = admission("lmCalls", callCap);
  const tools = admission("toolCalls", toolCap);
  const tokens = admission("tokens", tokenCap);
  let standing = { lmCalls: 0, tokens: 0 };
  let standingTools = 0;
  let step: RoleUsage = {};
  let counted = new Set<string>();
  let worstByExample = new Map<string, WorstTokens>();
  const noteWorst = (exampleId: string, worst: WorstTokens): void => {
    worstByExample.set(exampleId, Math.max(worst, worstByExample.get(exampleId) ?? 0));
  };

  const checkCounted = ({ uncountedCalls }: Usage): void => {
    const cap = tokenCap === undefined ? costUsd && "costUsd" : "tokens";
    if (!uncountedCalls || !cap) return;
    throw new EspalierError({
      code: "lm-usage-missing",
      problem: `The server does not say how many tokens its reply took, but the cap on \`${cap}\` counts them`,
      expected: "`usage` in the reply, with prompt and completion tokens",
      got: "none, or only part of it",
      fix: "Cap `lmCalls` instead, or have the server report usage. The reply is kept for a run without this cap.",
    });
  };

  /** A call that ended elsewhere: its room is reserved, so that it need not be admitted. */
  const ofMade = async (
    id: string,
    role: LmRole,
    call: () => Promise<LmReply>,
  ): Promise<LmReply> => {
    try {
      const reply = await call();
      const usage = oneCall(reply.usage);
      (role === "tool" ? tools : calls).add(1);
      tokens.add(usage.promptTokens + usage.completionTokens);
      step = sumByRole([step, { [role]: usage }]);
      checkCounted(usage);
      return reply;
    } catch (error) {
      counted.delete(id);
      throw error;
    }
  };

  const ofTool = async (id: string, call: () => Promise<LmReply>): Promise<LmReply> => {
    await tools.admit(1);
    let actual = 0;
    try {
      const reply = await call();
      actual = 1;
      step = sumByRole([step, { tool: oneCall(noUsage) }]);
      return reply;
    } finally {
      if (actual === 0) counted.delete(id);
      tools.settle(1, actual);
    }
  };

  return {
    caps: { lmCalls: calls, toolCalls: tools, tokens },
    start: () => {
      step = {};
      counted = new Set();
      worstByExample = new Map();
    },
    addRecorded: (usage, worst) => {
      step = sumByRole([step, usage]);
      const total = totalUsage(usage);
      calls.reset(calls.spent + total.calls);
      tokens.reset(tokens.spent + total.promptTokens + total.completionTokens);
      tools.reset(tools.spent + toolCallsOf(usage));
      noteWorst("", worst);
    },
    worstOf: (scope, exampleId) => worstByExample.get(`${scope}\n${exampleId}`) ?? 0,
    settle: (stands, toolCalls = 0) => {
      tools.reset(standingTools + toolCalls);
      if (toolCap !== undefined && tools.spent > toolCap) {
        throw budgetStop("toolCalls", toolCap, tools.spent);
      }
      calls.reset(standing.lmCalls + stands.calls);
      tokens.reset(standing.tokens + stands.promptTokens + stands.completionTokens);
      const worst = Math.max(0, ...worstByExample.values());
      if (callCap !== undefined && calls.spent > callCap) {
        throw budgetStop("lmCalls", callCap, calls.spent);
      }
      if (tokenCap !== undefined && tokens.spent + worst > tokenCap) {
        throw budgetStop("tokens", tokenCap, tokens.spent);
      }
      standing = { lmCalls: calls.spent, tokens: tokens.spent };
      standingTools = tools.spent;
    },
    get step() {
      return step;
    },
    get spent() {
      return standing;
    },
    wrap: (lm, scope = "") => ({
      identity: lm.identity,
      doGenerate: async (request, options = {}) => {
        const { exampleId = "", callPath = "", repetition = 0, role = "student" } = options;
        const id = `${scope}\n${role}\n${exampleId}\n${callPath}\n${repetition}`;
        const worst = role === "tool" ? 0 : worstTokens(request);
        noteWorst(`${scope}\n${exampleId}`, worst);
        if (counted.has(id)) return lm.doGenerate(request, options);
        counted.add(id);
        if (options.made) return ofMade(id, role, () => lm.doGenerate(request, options));
        if (role === "tool") return ofTool(id, () => lm.doGenerate(request, options));
        await calls.admit(1);
        let actual: number | undefined;
        try {
          await tokens.admit(worst);
          try {
            const reply = await lm.doGenerate(request, options);
            const usage = oneCall(reply.usage);
            actual = usage.promptTokens + usage.completionTokens;
            step = sumByRole([step, { [role]: usage }]);
            checkCounted(usage);
            return reply;
          } finally {
            tokens.settle(worst, actual ?? 0);
          }
        } finally {
          if (actual === undefined) counted.delete(id);
          calls.settle(1, actual === undefined ? 0 : 1);
        }
      },
    }),
  };
}

/**
 * An upper bound on the tokens of a call: a token covers at least one byte of UTF-8, and the chat
 * template adds some around each message.
 */
function worstTokens(request: LmRequest): number {
  return request.sampling.maxCompletionTokens + promptBound(request);
}

/** The same of the prompt alone; tools are written into it as JSON. */
export function promptBound({ messages, tools }: Pick<LmRequest, "messages" | "tools">): number {
  const ofTools = tools === undefined ? 0 : Buffer.byteLength(JSON.stringify(tools)) + toolTokens;
  return ofTools + messageBound(messages);
}

function messageBound(messages: LmRequest["messages"]): number {
  const ofMedia =
    imagesIn(messages).length * maxImageTokens + filesIn(messages).length * maxFileTokens;
  return messages.reduce(
    (bytes, message) => bytes + Buffer.byteLength(textOfMessage(message)) + templateTokens,
    templateTokens + ofMedia,
  );
}

const templateTokens = 32;
/** What chat templates say about tools beside them. */
const toolTokens = 400;
/** Models scale larger pictures down. */
const maxImageTokens = 16_384;
/** Servers bound the pages of a file. */
const maxFileTokens = 262_144;
