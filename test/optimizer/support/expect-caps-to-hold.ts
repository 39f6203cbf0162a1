import { expect } from "vitest";
import type { LanguageModel, Study } from "espalier";
import { EspalierError } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import type { Budget, Optimizer, PriceTable } from "espalier/optimizer";
import { oneCall } from "../../../src/optimizer/budget/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { callClock } from "./call-clock.ts";
import { compiledPart, runPlaces } from "./run-places.ts";

const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
const prices: PriceTable = { student: price, reflection: price };
const msPerCall = 10;
const concurrency = 4;

/** What a search took, as caps count it. */
type Amounts = Required<Budget>;

/** Runs a search to its own end, for caps below that. */
export async function amountsOf(
  study: Study & { readonly optimizer: Optimizer },
  budget: Budget,
): Promise<Amounts> {
  return (await capped(study, budget, {})).amounts;
}

/**
 * Runs a search under a cap: nothing that it counts exceeds the cap, and the run ends with a result
 * that its folder repeats without a call, or is refused. Returns how it ended.
 *
 * @param beforeResuming may do to the folder what a kill would have done
 */
export async function expectCapToHold(
  study: Study & { readonly optimizer: Optimizer },
  budget: Budget,
  beforeResuming: (runFolder: string) => Promise<void> = async () => {},
): Promise<string> {
  await using folder = await temporaryFolder();
  const options = { runFolder: folder.path };
  const { ended, amounts, compiled } = await capped(study, budget, options);
  for (const [cap, limit] of Object.entries(budget) as [keyof Budget, number][]) {
    expect(amounts[cap], `${ended} under ${cap} ${limit}`).toBeLessThanOrEqual(limit + 1e-12);
  }
  if (compiled === null) {
    expect(["budget-exhausted", "option-invalid"]).toContain(ended);
    return ended;
  }
  await beforeResuming(folder.path);
  const again = await capped(study, budget, { ...options, resume: true });
  expect(again.compiled, `${JSON.stringify(budget)}, resumed`).toEqual(compiled);
  expect(again.amounts.lmCalls).toBe(0);
  return ended;
}

async function capped(
  { optimizer, ...study }: Study & { readonly optimizer: Optimizer },
  budget: Budget,
  options: { readonly runFolder?: string; readonly resume?: boolean },
): Promise<{
  readonly ended: string;
  readonly amounts: Amounts;
  readonly compiled: object | null;
}> {
  const { lm, used } = metered(rehearsalLm());
  const timed = callClock(lm, msPerCall);
  let metricCalls = 0;
  const { objective } = study;
  const counted: Study = {
    ...study,
    objective: {
      ...objective,
      doScore: (given) => {
        metricCalls++;
        return objective.doScore(given);
      },
    },
  };
  const end = await runPlaces(
    { optimizer, budget, prices, concurrency, ...timed, ...options },
    counted,
  ).then(
    (run) => ({ ended: run.result.reason, compiled: compiledPart(run), spent: run.result.spent }),
    (error: unknown) => ({
      ended: EspalierError.isInstance(error) ? error.code : String(error),
      compiled: null,
      spent: null,
    }),
  );
  const { calls, tokens, costUsd, maxInFlight } = used();
  return {
    ...end,
    amounts: {
      metricCalls,
      reflectionCalls: end.spent?.reflectionCalls ?? 0,
      lmCalls: calls,
      toolCalls: 0,
      tokens,
      costUsd,
      // Without the calls in flight at the end. Proposals are written side by side, too.
      wallTimeMs: Math.max(0, calls - maxInFlight) * msPerCall,
    },
  };
}

/** Counts what an LM was asked, whether or not its reply was of use. */
function metered({ identity, doGenerate }: LanguageModel): {
  readonly lm: LanguageModel;
  readonly used: () => {
    readonly calls: number;
    readonly tokens: number;
    readonly costUsd: number;
    readonly maxInFlight: number;
  };
} {
  let [calls, tokens, costUsd] = [0, 0, 0];
  let [inFlight, maxInFlight] = [0, 0];
  return {
    used: () => ({ calls, tokens, costUsd, maxInFlight }),
    lm: {
      identity,
      doGenerate: async (request, options) => {
        calls++;
        maxInFlight = Math.max(maxInFlight, ++inFlight);
        const reply = await doGenerate(request, options).finally(() => inFlight--);
        const { promptTokens, completionTokens } = oneCall(reply.usage);
        tokens += promptTokens + completionTokens;
        costUsd +=
          (promptTokens * price.promptUsdPerMillion +
            completionTokens * price.completionUsdPerMillion) /
          1e6;
        return reply;
      },
    },
  };
}
