import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LanguageModel, LmRole } from "espalier";
import { connect } from "espalier/lm";
import type { OptimizeOptions } from "espalier/optimizer";
import { gepa, optimize } from "espalier/optimizer";
import { rehearsalLm, serveRehearsal } from "@espalier/rehearsal";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { gradedStudy } from "./support/graded-places.ts";
import { expectKillsToChangeNothing } from "./support/kill-and-resume.ts";
import { workIn } from "../support/journal.ts";
import { askedAgainIn } from "./support/asked-again-in.ts";

const roles = ["student", "reflection", "reranking", "judge"] as const;

const graded = (options: Partial<OptimizeOptions>) =>
  optimize(gradedStudy, {
    optimizer: gepa(),
    budget: { metricCalls: 60 },
    lm: rehearsalLm(),
    ...options,
  });

describe("a run whose reranker and metric ask its LM", () => {
  it("has their calls in the ledger by role, as the server answered them", async () => {
    await using server = await serveRehearsal();
    await using judge = await serveRehearsal();
    const open = (url: string) => connect({ baseUrl: `${url}/v1`, model: "rehearsal" });
    await using lm = open(server.url);
    await using judgeLm = open(judge.url);
    const { ledger, spent } = await graded({ lm, judgeLm });
    const answered = ({ calls }: typeof server): number | undefined =>
      calls().byEndpoint["POST /v1/chat/completions"]?.byStatus["200"];
    const logical = (role: LmRole): number => ledger.byRole[role]?.logical.calls ?? 0;
    // One query, three passages and one verdict for each rollout.
    expect(logical("student")).toBe(spent.metricCalls);
    expect(logical("reranking")).toBe(3 * spent.metricCalls);
    expect(logical("judge")).toBe(spent.metricCalls);
    expect(roles.reduce((sum, role) => sum + logical(role), 0)).toBe(spent.lmCalls);
    const { promptTokens, completionTokens } = ledger.total.logical;
    expect(promptTokens + completionTokens).toBe(spent.tokens);
    expect(answered(judge)).toBe(ledger.byRole.judge?.billed.calls);
    expect(answered(server)).toBe(
      ledger.total.billed.calls - (ledger.byRole.judge?.billed.calls ?? 0),
    );
  });

  it("comes out the same at any concurrency", async () => {
    const [one, many] = await Promise.all(
      [1, 16].map(async (concurrency) => {
        const { seconds: _, ...result } = await graded({ concurrency });
        return JSON.stringify(result);
      }),
    );
    expect(many).toBe(one);
  });

  it.each([{ lmCalls: 120 }, { tokens: 60_000 }, { costUsd: 0.05 }] as const)(
    "stays under a cap of %o, theirs included",
    async (cap) => {
      const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 2 };
      const { spent, costUsd, ledger, reason } = await graded({
        budget: cap,
        prices: { student: price, reflection: price },
      });
      expect(reason).toBe("budget");
      const { lmCalls = Infinity, tokens = Infinity, costUsd: usd = Infinity } = { ...cap };
      expect(spent.lmCalls).toBeLessThanOrEqual(lmCalls);
      expect(spent.tokens).toBeLessThanOrEqual(tokens);
      expect(costUsd).toBeLessThanOrEqual(usd);
      const { promptTokens, completionTokens } = ledger.total.billed;
      expect(costUsd).toBeCloseTo((promptTokens + 2 * completionTokens) / 1e6, 10);
    },
  );

  it("needs a price for a judge of its own where money is capped", async () => {
    const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 2 };
    const run = graded({
      budget: { costUsd: 1 },
      prices: { student: price, reflection: price },
      judgeLm: rehearsalLm(),
    });
    await expect(run).rejects.toMatchObject({ code: "option-invalid" });
  });

  it("leaves what the judge could not be asked unscored, and never a zero", async () => {
    const lm = rehearsalLm();
    const failing: LanguageModel = {
      identity: lm.identity,
      doGenerate: async () => {
        throw new TypeError("never asked");
      },
    };
    await using server = await serveRehearsal({ faults: { serverError: 1 } });
    await using judgeLm = connect({
      baseUrl: `${server.url}/v1`,
      model: "rehearsal",
      retry: { attempts: 1 },
    });
    const run = graded({ lm, judgeLm, reflectionLm: failing });
    await expect(run).rejects.toMatchObject({ code: "coverage-too-low" });
  });

  it("asks nothing again that the run's log holds, each role with its own calls", async () => {
    await using folder = await temporaryFolder();
    const runFolder = join(folder.path, "run");
    const stopped = new AbortController();
    let calls = 0;
    const lm = rehearsalLm();
    const stopping: LanguageModel = {
      identity: lm.identity,
      doGenerate: (request, options) => {
        if (++calls === 90) stopped.abort();
        return lm.doGenerate(request, options);
      },
    };
    const first = graded({ lm: stopping, runFolder, signal: stopped.signal });
    await expect(first).rejects.toMatchObject({ code: "aborted" });
    const { seconds: _seconds, ...resumed } = await graded({ lm, runFolder, resume: true });
    const { seconds: _, ...undisturbed } = await graded({ lm });
    const logical = (result: typeof resumed) =>
      roles.map((role) => result.ledger.byRole[role]?.logical);
    expect(logical(resumed)).toEqual(logical(undisturbed));
    expect(resumed.candidates).toEqual(undisturbed.candidates);
    expect(await askedAgainIn(runFolder)).toEqual([]);
    const sent = new Set(workIn(runFolder).flatMap((line) => ("role" in line ? line.role : [])));
    expect([...sent].toSorted()).toEqual([...roles].toSorted());
  });

  it("killed under a cap and resumed, gives the same artifact and asks nothing twice", async () => {
    await expectKillsToChangeNothing({
      study: "test/cli/fixtures/graded-places.ts",
      options: ["--max-tokens", "70000"],
      runs: 1,
      killsPerRun: 2,
      seed: 4,
    });
  });
});
