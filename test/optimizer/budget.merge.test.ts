import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure, LanguageModel, LmReply, LmRequest } from "espalier";
import { LmError, textOfContent } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import type { Budget, PriceTable } from "../../src/optimizer/index.ts";
import { oneCall } from "../../src/optimizer/budget/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import { callClock } from "./support/call-clock.ts";
import { placeStudy } from "./support/place-search.ts";
import { compiledPart, runPlaces } from "./support/run-places.ts";
import { expectCapToHold } from "./support/expect-caps-to-hold.ts";
import { gepaWith } from "./support/gepa-with.ts";
import { searches } from "./support/searches.ts";
import { isDecision } from "../support/journal.ts";

describe("a cap is never exceeded", () => {
  it("on metric calls, whatever the budget and the minibatch", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 14, max: 160 }),
        fc.integer({ min: 1, max: 16 }),
        async (metricCalls, minibatchSize) => {
          const optimizer = gepaWith({ minibatchSize });
          const budget = { metricCalls, reflectionCalls: 1_000 };
          const { result, seen } = await runPlaces({ optimizer, budget });
          expect(seen.rollouts).toBe(result.spent.metricCalls);
          expect(seen.rollouts).toBeLessThanOrEqual(metricCalls);
          // Nor is a proposal that would still have fitted left untried.
          const left = result.reason === "budget" ? metricCalls - seen.rollouts : 0;
          expect(left).toBeLessThan(14 + 2 * Math.min(minibatchSize, 14));
        },
      ),
      { numRuns: 25 },
    );
  });

  it("on LM calls, when the seed alone takes more", async () => {
    // Its 14 rollouts take 28 calls, which nobody knows before.
    const { error, calls } = await refusal({ budget: { lmCalls: 20 } });
    expect(error.code).toBe("budget-exhausted");
    expect(calls).toBe(20);
  });

  it.each([40, 77, 130, 200])("on LM calls: %i", async (lmCalls) => {
    const { result } = await runPlaces({ budget: { lmCalls } });
    expect(result.spent.lmCalls).toBeLessThanOrEqual(lmCalls);
    expect(result.ledger.total.logical.calls).toBeLessThanOrEqual(lmCalls);
  });

  it.each([25_000, 40_000, 60_000])("on tokens: %i", async (tokens) => {
    const { result, seen } = await runPlaces({ budget: { tokens } });
    expect(result.reason).toBe("budget");
    const { promptTokens, completionTokens } = result.ledger.total.logical;
    expect(promptTokens + completionTokens).toBe(result.spent.tokens);
    const { student, reflection } = result.cutShort;
    const cutShort = [student, reflection].reduce(
      (sum, usage) => sum + usage.promptTokens + usage.completionTokens,
      0,
    );
    // With what was spent on the step that did not fit in the end.
    expect(result.spent.tokens + cutShort).toBeLessThanOrEqual(tokens);
    // A request that the run has asked before is answered from its records, for nothing.
    const { billed } = result.ledger.total;
    expect(billed.calls).toBe(seen.calls);
    const paid = billed.promptTokens + billed.completionTokens;
    expect(paid).toBeGreaterThan(0);
    expect(paid).toBeLessThanOrEqual(result.spent.tokens + cutShort);
  });

  it("on money, by what was billed", async () => {
    const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
    const prices: PriceTable = { student: price, reflection: price };
    const { result, seen } = await runPlaces({ budget: { costUsd: 0.08 }, prices });
    const { calls, promptTokens, completionTokens } = result.ledger.total.billed;
    // Those that did not fit were never sent.
    expect(calls).toBe(seen.calls);
    expect(result.costUsd).toBeCloseTo((promptTokens + 4 * completionTokens) / 1e6, 9);
    expect(result.costUsd).toBeLessThanOrEqual(0.08);
  });

  it("on wall time: no step is begun once it is over, and the step in flight ends", async () => {
    const { result, seen } = await runPlaces({
      budget: { wallTimeMs: 400 },
      ...callClock(rehearsalLm(), 10),
    });
    expect(result.reason).toBe("budget");
    expect(result.seconds).toBeCloseTo(0.4, 9);
    expect(seen.calls).toBe(40);
  });
});

describe("a run whose last step a cap cut short is repeated without a call, to the same result,", () => {
  const ended = new Map(searches);
  const rows = (
    [
      ["miproV2()", { costUsd: 0.12 }],
      ["miproV2()", { wallTimeMs: 700 }],
      ["bootstrapFewShot()", { costUsd: 0.04 }],
      ["inTurn()", { costUsd: 0.0272 }],
      ["decisionFit()", { wallTimeMs: 200 }],
    ] as const
  ).map(([name, budget]) => [name, budget, ended.get(name)?.studyOf()] as const);

  it.each(rows)("by %s under %j", async (_, budget, study) => {
    if (study === undefined) throw new Error("There is no such search.");
    expect(await expectCapToHold(study, budget)).toBe("budget");
  });

  it.each(rows)(
    "by %s under %j, also after a kill just before its end",
    async (_, budget, study) => {
      if (study === undefined) throw new Error("There is no such search.");
      await expectCapToHold(study, budget, (folder) =>
        editLines(join(folder, "journal.jsonl"), (lines) =>
          lines.slice(0, lines.findLastIndex(isDecision)),
        ),
      );
    },
  );
});

async function editLines(
  path: string,
  edit: (lines: readonly string[]) => readonly string[],
): Promise<void> {
  const lines = (await readFile(path, "utf8")).split("\n").slice(0, -1);
  await writeFile(
    path,
    edit(lines)
      .map((line) => `${line}\n`)
      .join(""),
  );
}

describe("a call without a known end", () => {
  const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
  const prices: PriceTable = { student: price, reflection: price };
  /** More tokens than any prompt of these runs has bytes; replies may be this long. */
  const maxUsd = (request: LmRequest): number => {
    const bytes = request.messages.reduce(
      (sum, { content }) => sum + Buffer.byteLength(textOfContent(content)) + 32,
      32,
    );
    return (bytes + 4 * request.sampling.maxCompletionTokens) / 1e6;
  };
  const failingOnce = (code: Failure["code"], failed: LmRequest[]): LanguageModel => {
    const lm = rehearsalLm();
    return {
      identity: lm.identity,
      doGenerate: async (request, options) => {
        if (failed.length > 0) return lm.doGenerate(request, options);
        failed.push(request);
        throw new LmError({ code, problem: "It does not answer" });
      },
    };
  };

  it.each<[Failure["code"], boolean]>([
    ["lm-stalled", true],
    ["lm-unreachable", true],
    ["lm-bad-envelope", true],
    ["lm-rate-limited", false],
    ["lm-server-error", true],
    ["lm-unavailable", false],
  ])("%s: charged at its worst %s", async (code, isCharged) => {
    const failed: LmRequest[] = [];
    const budget = { metricCalls: 20 };
    const clean = (await runPlaces({ budget, prices })).result;
    const { result } = await runPlaces({ budget, prices, lm: failingOnce(code, failed) });
    const charged = isCharged ? failed.reduce((sum, request) => sum + maxUsd(request), 0) : 0;
    expect((result.costUsd ?? 0) - (clean.costUsd ?? 0)).toBeCloseTo(charged, 9);
  });

  it("in flight at a kill, or failed before it: charged when the run goes on", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "journal.jsonl");
    const failed: LmRequest[] = [];
    const options = { budget: { metricCalls: 20 }, prices, runFolder: folder.path };
    const first = (await runPlaces({ ...options, lm: failingOnce("lm-stalled", failed) })).result;
    const lines = (await readFile(path, "utf8")).split("\n").slice(0, -1);
    // The last call's reply is lost, as if the process had been killed while it was in flight.
    const calls = lines.map((line) => JSON.parse(line) as { kind: string; key?: string });
    const reply = calls.findLastIndex(({ kind }) => kind === "reply");
    await writeFile(
      path,
      lines.map((line, index) => (index === reply ? "" : `${line}\n`)).join(""),
    );
    const asked: LmRequest[] = [];
    const lm = rehearsalLm();
    const again = (
      await runPlaces({
        ...options,
        resume: true,
        lm: {
          identity: lm.identity,
          doGenerate: (request, given) => {
            asked.push(request);
            return lm.doGenerate(request, given);
          },
        },
      })
    ).result;
    const reply0 = JSON.parse(lines[reply] ?? "") as { reply: { usage: LmReply["usage"] } };
    const { promptTokens, completionTokens } = oneCall(reply0.reply.usage);
    const inFlight = calls[reply]?.key;
    const sent = calls.findLast(({ kind, key }) => kind === "sent" && key === inFlight);
    const worst = (sent as { worstUsd?: number }).worstUsd ?? 0;
    expect(worst).toBeGreaterThan(0);
    expect(asked).toEqual([]);
    const before = (promptTokens + 4 * completionTokens) / 1e6;
    expect((again.costUsd ?? 0) - (first.costUsd ?? 0)).toBeCloseTo(worst - before, 9);
  });
});

describe("caps on calls and tokens", () => {
  it.each<Budget>([{ lmCalls: 150 }, { tokens: 60_000 }, { tokens: 61_000 }, { tokens: 63_500 }])(
    "%j end the run in the same place at any concurrency",
    async (budget) => {
      const [one, ...others] = await Promise.all(
        [1, 8, 64].map(async (concurrency) =>
          compiledPart(await runPlaces({ budget, concurrency })),
        ),
      );
      for (const other of others) expect(other).toEqual(one);
    },
  );
});

describe("before anything is spent", () => {
  const refused = async (options: Parameters<typeof runPlaces>[0], study = placeStudy) => {
    const { error, calls } = await refusal(options, study);
    expect(calls).toBe(0);
    return error.message;
  };

  it("a budget smaller than one evaluation is refused", async () => {
    expect(await refused({ budget: { metricCalls: 13 } })).toMatchInlineSnapshot(
      `"The budget is smaller than one evaluation. Expected: \`metricCalls\` of at least 14, one for each of 14 examples in \`val\`, to score the program as it is by \`found-place\`. Got: 13. Raise the budget: about ten times this minimum is useful. Nothing was spent."`,
    );
    expect(await refused({ budget: { lmCalls: 13 } })).toContain("`lmCalls` of at least 14");
  });

  it("a run without a budget is refused", async () => {
    expect(await refused({ budget: {} })).toMatchInlineSnapshot(
      `"A run needs a budget. Expected: at least one cap above 0: \`metricCalls\`, \`reflectionCalls\`, \`lmCalls\`, \`toolCalls\`, \`tokens\`, \`costUsd\` or \`wallTimeMs\`. Got: none. Set \`budget: { metricCalls: 500 }\`, pass --budget 500, or add a stopper that ends every run."`,
    );
    expect(await refused({ budget: { metricCalls: 0 } })).toContain("`metricCalls` 0");
  });

  it("a budget in money without prices is refused", async () => {
    expect(await refused({ budget: { costUsd: 1 } })).toContain("without prices");
  });

  const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
  const free = { promptUsdPerMillion: 0, completionUsdPerMillion: 0 };

  it.each<[string, PriceTable, string]>([
    ["no role", {}, "`student` and `reflection`"],
    ["the student alone", { student: price }, "for `reflection`"],
    ["the reflection LM alone", { reflection: price }, "for `student`"],
  ])(
    "a budget in money with prices of %s is refused, naming what lacks",
    async (_, prices, named) => {
      expect(await refused({ budget: { costUsd: 1 }, prices })).toContain(named);
      expect(await refused({ budget: { costUsd: 1, metricCalls: 60 }, prices })).toContain(named);
    },
  );

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])("a price of %d is refused", async (usd) => {
    const prices = { student: price, reflection: { ...price, completionUsdPerMillion: usd } };
    const message = await refused({ budget: { metricCalls: 60 }, prices });
    expect(message).toContain("prices.reflection.completionUsdPerMillion");
  });

  it("a free role is priced 0; a cap on money alone where all is free caps nothing", async () => {
    const { result } = await runPlaces({
      budget: { costUsd: 0.05 },
      prices: { student: price, reflection: free },
    });
    expect(result.reason).toBe("budget");
    const { promptTokens, completionTokens } = result.ledger.byRole.student?.billed ?? {
      promptTokens: 0,
      completionTokens: 0,
    };
    expect(result.costUsd).toBeCloseTo((promptTokens + 4 * completionTokens) / 1e6, 9);
    const message = await refused({
      budget: { costUsd: 1 },
      prices: { student: free, reflection: free },
    });
    expect(message).toContain("every price at 0");
  });

  it("what a run cost is not told unless every role has a price", async () => {
    const { result } = await runPlaces({ budget: { metricCalls: 20 }, prices: { student: price } });
    expect(result.costUsd).toBeNull();
  });

  it("a split without examples is refused", async () => {
    const { trainset } = placeStudy;
    const study = {
      ...placeStudy,
      trainset: { ...trainset, splits: { ...trainset.splits, val: [] } },
    };
    expect(await refused({}, study)).toMatchInlineSnapshot(
      `"Split \`val\` of trainset \`places\` cannot be used for optimization. Expected: examples in \`train\` for feedback and in \`val\` for selection, with unique ids. Got: no examples. Create the trainset with both splits."`,
    );
  });

  it("a component that the program lacks is refused", async () => {
    const optimizer = gepaWith({ components: ["instruction:nobody"] });
    expect(await refused({ optimizer })).toMatchInlineSnapshot(
      `"gepa() cannot change \`instruction:nobody\` in \`finder\`. Expected: instruction, fieldDescription, instruction:broadQuery, fieldDescription:broadQuery.question, fieldDescription:broadQuery.history, fieldDescription:broadQuery.query, instruction:narrowQuery, fieldDescription:narrowQuery.question, fieldDescription:narrowQuery.history, fieldDescription:narrowQuery.query."`,
    );
  });
});

/** What a run is refused with, and how many calls reached the LM before. */
async function refusal(options: Parameters<typeof runPlaces>[0], study = placeStudy) {
  const lm = rehearsalLm();
  let calls = 0;
  const error = await thrownBy(() =>
    runPlaces(
      {
        ...options,
        lm: {
          identity: lm.identity,
          doGenerate: (request, callOptions) => {
            calls++;
            return lm.doGenerate(request, callOptions);
          },
        },
      },
      study,
    ),
  );
  return { error, calls };
}
