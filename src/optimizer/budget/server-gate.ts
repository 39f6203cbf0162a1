import type { LanguageModel, LmRequest, LmRole } from "../../contract/index.ts";
import type { LedgerEntry } from "../../ledger/index.ts";
import type { Admission } from "./admission.ts";
import { admission, eachRequest, mayBeBilled, neverSent } from "./admission.ts";
import type { Budget, Price, PriceTable } from "./budget.ts";
import { priceOf, budgetStop, capOf } from "./budget.ts";
import type { CallGate } from "./call-gate.ts";
import { promptBound, callGate } from "./call-gate.ts";
import type { Allowance, Spending } from "../../runner/index.ts";

/**
 * Keeps what reaches LM servers and tools under the caps on requests, tool calls and money. It
 * wraps the server directly, so recorded replies are free, and each request of a call that is sent
 * again counts, after a fault or after a kill.
 */
export interface ServerGate {
  wrap(lm: LanguageModel): LanguageModel;
  /** The most that a call can cost, in US dollars; charged when the call's end is unknown. */
  worstUsd(request: LmRequest, role: LmRole): number;
  /** The admission that holds the cap on money, for room that is reserved for a whole run. */
  readonly cash: Admission;
}

/** @param made what earlier processes may have sent, calls of unknown end among them */
export function serverGate(
  { lmCalls, toolCalls, costUsd }: Budget,
  prices: PriceTable = {},
  made: {
    readonly billed: { readonly [Role in LmRole]?: LedgerEntry["billed"] };
    readonly unendedUsd: number;
  } = { billed: {}, unendedUsd: 0 },
): ServerGate {
  const { tool, ...ofLms } = made.billed;
  const tools = admission("toolCalls", toolCalls, tool?.calls);
  const sent = Object.values(ofLms).reduce(
    (sum, { calls, retries = 0 }) => sum + calls + retries,
    0,
  );
  const requests = admission("lmCalls", lmCalls, sent);
  const cash = admission("costUsd", costUsd, costOfRoles(made.billed, prices) + made.unendedUsd);
  const worstUsd: ServerGate["worstUsd"] = (request, role) => {
    const price = priceOf(role, prices);
    if (price === undefined) return 0;
    return costOf(promptBound(request), request.sampling.maxCompletionTokens, price);
  };
  const counted = (lm: LanguageModel): LanguageModel => ({
    identity: lm.identity,
    doGenerate: (request, options) =>
      eachRequest(options?.role === "tool" ? tools : requests, lm, {
        request,
        options,
        worst: 1,
        actualOf: ({ source }) => (source === "server" ? 1 : 0),
        lostTo: (fault) => (neverSent(fault) ? 0 : 1),
      }),
  });
  return {
    cash,
    worstUsd,
    wrap: (lm) => ({
      identity: lm.identity,
      doGenerate: (request, options) => {
        const role = options?.role ?? "student";
        const worst = worstUsd(request, role);
        return eachRequest(cash, counted(lm), {
          request,
          options,
          worst,
          actualOf: ({ source, usage: { promptTokens, completionTokens } }) => {
            if (source !== "server") return 0;
            return promptTokens === null || completionTokens === null
              ? worst
              : costOf(promptTokens, completionTokens, priceOf(role, prices));
          },
          lostTo: (fault) => (mayBeBilled(fault) ? worst : 0),
        });
      },
    }),
  };
}

/** In US dollars. */
export function costOf(
  promptTokens: number,
  completionTokens: number,
  price: Price | undefined,
): number {
  if (price === undefined) return 0;
  const { promptUsdPerMillion, completionUsdPerMillion } = price;
  return (promptTokens * promptUsdPerMillion + completionTokens * completionUsdPerMillion) / 1e6;
}

/** What was sent in each role, in US dollars; roles without a price count as free. */
export function costOfRoles(
  billed: {
    readonly [Role in LmRole]?: {
      readonly promptTokens: number;
      readonly completionTokens: number;
    };
  },
  prices: PriceTable | undefined,
): number {
  return Object.entries(billed).reduce((sum, [role, { promptTokens, completionTokens }]) => {
    return sum + costOf(promptTokens, completionTokens, priceOf(role as LmRole, prices));
  }, 0);
}

/**
 * The caps of a run, for rollouts that run elsewhere: room for all that one may spend is reserved
 * before it begins, so that the caps stay as hard as with one call after the other.
 */
export function sharedSpending({
  budget,
  prices,
  gate,
  server,
}: {
  readonly budget: Budget;
  readonly prices: PriceTable | undefined;
  readonly gate: Pick<CallGate, "caps">;
  readonly server: Pick<ServerGate, "cash">;
}): Spending {
  // Always in this order, so that two that wait never wait for each other.
  const admissions: readonly (readonly [keyof Allowance, Admission])[] = [
    ["lmCalls", gate.caps.lmCalls],
    ["toolCalls", gate.caps.toolCalls],
    ["tokens", gate.caps.tokens],
    ["costUsd", server.cash],
  ];
  return {
    ...(prices && { prices }),
    reserve: async (wanted) => {
      const held: [keyof Allowance, Admission, number][] = [];
      const release = (): void => {
        for (const [, admission, granted] of held.splice(0)) admission.settle(granted, 0);
      };
      try {
        for (const [cap, admission] of admissions) {
          const granted = await admission.admitUpTo(wanted[cap]);
          if (granted !== undefined) held.push([cap, admission, granted]);
        }
      } catch (error) {
        release();
        throw error;
      }
      const spentOf = Object.fromEntries(admissions);
      return {
        granted: Object.fromEntries(held.map(([cap, , granted]) => [cap, granted])),
        exceeded: (cap) => budgetStop(cap, budget[cap] ?? 0, spentOf[cap]?.spent ?? 0),
        release,
      };
    },
  };
}

/** Holds one run of an example under its allowance. */
export function allowanceLimits(
  allowance: Allowance,
  prices?: PriceTable,
): {
  wrap(lm: LanguageModel): LanguageModel;
  /** The cap that a call did not fit under; absent: all did. */
  lacking(): keyof Allowance | undefined;
} {
  const gate = callGate(allowance);
  const server = serverGate(allowance, prices);
  let lacking: keyof Allowance | undefined;
  return {
    wrap: (lm) => {
      const gated = gate.wrap(server.wrap(lm));
      return {
        identity: lm.identity,
        doGenerate: async (request, options) => {
          try {
            return await gated.doGenerate(request, options);
          } catch (error) {
            lacking ??= capOf(error) as keyof Allowance | undefined;
            throw error;
          }
        },
      };
    },
    lacking: () => lacking,
  };
}
