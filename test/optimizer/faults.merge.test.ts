import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Embedder, Failure, LanguageModel } from "espalier";
import { LmError, textOfContent } from "espalier";
import { connect } from "espalier/lm";
import type { FaultShares } from "@espalier/rehearsal";
import { rehearsalEmbedder, rehearsalLm, serveRehearsal } from "@espalier/rehearsal";
import { epochMinibatches } from "../conformance/reference/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import { askedAgainIn } from "./support/asked-again-in.ts";
import { compiledPart, runPlaces } from "./support/run-places.ts";
import { searches } from "./support/searches.ts";
import { gepaWith } from "./support/gepa-with.ts";

describe("over HTTP", () => {
  it("gives with 30 % of calls failing, at concurrency 1, 8 and 64, what it gives without", async () => {
    const clean = await overHttp({}, 16);
    const faults: FaultShares = { rateLimit: 0.1, serverError: 0.1, brokenEnvelope: 0.1 };
    for (const concurrency of [1, 8, 64]) {
      const faulty = await overHttp(faults, concurrency);
      expect(faulty.compiled).toEqual(clean.compiled);
      expect(faulty.failed / faulty.total).toBeGreaterThan(0.25);
      // What was answered was asked once; the ledger's billed calls are what the server answered.
      expect(faulty.billed).toBe(clean.billed);
      expect(faulty.total - faulty.failed).toBe(clean.total);
    }
  });

  it("bills exactly what the server answered", async () => {
    const { billed, answered } = await overHttp({}, 16);
    expect(billed).toBe(answered);
  });
});

async function overHttp(faults: FaultShares, concurrency: number) {
  await using server = await serveRehearsal({ faults, seed: 11 });
  await using lm = connect({
    baseUrl: `${server.url}/v1`,
    model: "rehearsal",
    concurrency: 32,
    retry: { attempts: 12, baseDelayMs: 2, maxDelayMs: 20 },
  });
  const run = await runPlaces({ lm, concurrency, budget: { metricCalls: 80 } });
  const { total, byFault, byEndpoint } = server.calls();
  return {
    compiled: compiledPart(run),
    billed: run.result.ledger.total.billed.calls,
    total,
    answered: byEndpoint["POST /v1/chat/completions"]?.byStatus["200"],
    failed: Object.values(byFault).reduce((sum, count) => sum + count, 0),
  };
}

describe("a fault that stays", () => {
  it("is never a score: a candidate that faults keep from being judged is refused", async () => {
    // Every call with an instruction longer than the seed's fails, as with a gateway that dislikes
    // it.
    const run = await runPlaces({
      lm: failing((prompt) => /Write a search query for the question\.\\n[A-Z]/.test(prompt)),
      reflectionLm: rehearsalLm(),
    });
    const { result } = run;
    expect(result.candidates).toHaveLength(1);
    expect(result.rejections.map(({ reason }) => reason)).toContain("low-coverage");
    const unscored = run.events.flatMap((event) =>
      event.kind === "candidate-evaluated" && event.candidate === "proposed" ? [event] : [],
    );
    expect(unscored.length).toBeGreaterThan(0);
    for (const { scores, coverage, value } of unscored) {
      expect(new Set(Object.values(scores))).toEqual(new Set([null]));
      expect({ coverage, value }).toEqual({ coverage: 0, value: null });
    }
  });

  it("below the coverage floor on the seed ends the run, saying what is wrong", async () => {
    const error = await thrownBy(() => runPlaces({ lm: failing(() => true) }));
    expect(error).toMatchObject({ code: "coverage-too-low", kind: "infrastructure" });
    expect(error.message).toContain("0.0 % scored");
    expect(error.message).toContain("gateway");
  });

  it("of the reflection LM is told, and ends the run after the stated number", async () => {
    const { result } = await runPlaces({ reflectionLm: failing(() => true) });
    expect(result.reason).toBe("reflection-failing");
    const failed = result.rejections.map(({ reason }) => reason);
    // Two texts are asked for at a time, and each is refused.
    expect(failed).toEqual(Array(6).fill("reflection-fault"));
    expect(result.spent.reflectionCalls).toBe(6);
    expect(result.rejections[0]?.detail).toContain("gateway");
    expect(result.ledger.byRole.reflection?.billed.failedCalls).toBeGreaterThanOrEqual(5);
  });
});

describe("a server that goes away", () => {
  it.each([
    ["the student's", "lm", 9],
    ["the student's", "lm", 130],
    ["the reflection LM's", "reflectionLm", 1],
  ] as const)(
    "%s (%s, after %i calls) ends the run, which goes on when it is back",
    async (_, part, calls) => {
      await using folder = await temporaryFolder();
      const undisturbed = await runPlaces({ budget: { metricCalls: 80 } });
      const options = { budget: { metricCalls: 80 }, runFolder: folder.path };
      const error = await thrownBy(() => runPlaces({ ...options, [part]: awayAfter(calls) }));
      expect(error).toMatchObject({ code: "lm-unreachable", kind: "infrastructure" });
      // Before it is back, a resumed run asks again and ends the same way.
      const again = await thrownBy(() =>
        runPlaces({ ...options, resume: true, [part]: awayAfter(0) }),
      );
      expect(again).toMatchObject({ code: "lm-unreachable" });
      const resumed = await runPlaces({ ...options, resume: true });
      expect(compiledPart(resumed)).toEqual(compiledPart(undisturbed));
    },
  );
});

describe("a server that goes away in the middle of", () => {
  it.each(searches)("%s ends it, and it goes on to the same result", async (_, search) => {
    const { optimizer, ...study } = search.studyOf();
    const { budget } = search;
    const undisturbed = await runPlaces({ optimizer, budget }, study);
    await using folder = await temporaryFolder();
    const options = { optimizer, budget, runFolder: folder.path };
    const half = Math.floor(undisturbed.seen.calls / 2);
    const error = await thrownBy(() => runPlaces({ ...options, lm: awayAfter(half) }, study));
    expect(error).toMatchObject({ code: "lm-unreachable", kind: "infrastructure" });
    const resumed = await runPlaces({ ...options, resume: true }, study);
    expect(compiledPart(resumed)).toEqual(compiledPart(undisturbed));
    expect(await askedAgainIn(folder.path)).toEqual([]);
  });

  it.each([0, 2])("a search by an embedder, which answers %i times, does, too", async (times) => {
    const search = new Map(searches).get("bootstrapFewShot(), nearest by an embedder");
    if (search === undefined) throw new Error("There is no such search.");
    const { optimizer, ...study } = search.studyOf();
    const { budget } = search;
    const undisturbed = await runPlaces({ optimizer, budget }, study);
    await using folder = await temporaryFolder();
    const options = { optimizer, budget, runFolder: folder.path };
    const { program } = search.studyOf(embedderAwayAfter(times));
    const error = await thrownBy(() => runPlaces(options, { ...study, program }));
    expect(error).toMatchObject({ code: "lm-unreachable", kind: "infrastructure" });
    const resumed = await runPlaces({ ...options, resume: true }, study);
    expect(compiledPart(resumed)).toEqual(compiledPart(undisturbed));
    expect(await askedAgainIn(folder.path)).toEqual([]);
  });
});

describe("a text that cannot be read", () => {
  it("counts when the run is repeated as it did at first, worst case included", async () => {
    const lm = rehearsalLm();
    let worst = 0;
    const reflectionLm: LanguageModel = {
      identity: lm.identity,
      doGenerate: async (request, options) => {
        const reply = await lm.doGenerate(request, options);
        const bytes = request.messages.reduce(
          (sum, { content }) => sum + Buffer.byteLength(textOfContent(content)) + 32,
          32,
        );
        worst = Math.max(worst, bytes + request.sampling.maxCompletionTokens);
        return { ...reply, content: "" };
      },
    };
    const minibatch = epochMinibatches();
    const optimizer = gepaWith({ maxReflectionFailures: 1, minibatch });
    const free = await runPlaces({ optimizer, reflectionLm, budget: { tokens: 1e6 } });
    expect(free.result.reason).toBe("reflection-failing");
    // Each call fits when it is sent; with the largest that could still have come, the step does
    // not.
    const budget = { tokens: free.result.spent.tokens + worst - 1 };
    await using folder = await temporaryFolder();
    const options = { optimizer, reflectionLm, budget, runFolder: folder.path, concurrency: 1 };
    const first = await runPlaces(options);
    expect(first.result.reason).toBe("budget");
    const path = join(folder.path, "journal.jsonl");
    // As a kill leaves it that comes just before the run ends.
    const journal = await readFile(path, "utf8");
    const end = journal.lastIndexOf('{"sequence":');
    expect(journal.slice(end)).toContain('"kind":"run-end"');
    await writeFile(path, journal.slice(0, end));
    const again = await runPlaces({ ...options, resume: true });
    expect(compiledPart(again)).toEqual(compiledPart(first));
  });
});

describe("a fault of configuration", () => {
  it("ends the run at once: no retry can repair it", async () => {
    const error = await thrownBy(() =>
      runPlaces({ reflectionLm: failing(() => true, "lm-unauthorized") }),
    );
    expect(error.code).toBe("lm-unauthorized");
  });
});

function failing(
  concerns: (prompt: string) => boolean,
  code: Failure["code"] = "lm-server-error",
): LanguageModel {
  const lm = rehearsalLm();
  return {
    identity: lm.identity,
    doGenerate: async (request, options) => {
      if (!concerns(JSON.stringify(request.messages))) return lm.doGenerate(request, options);
      throw new LmError({ code, problem: "The gateway says no" });
    },
  };
}

/** The rehearsal embedder, on a server that goes away. */
function embedderAwayAfter(times: number): Embedder {
  const embedder = rehearsalEmbedder();
  let answered = 0;
  return {
    identity: embedder.identity,
    doEmbed: async (texts, options) => {
      if (++answered <= times) return embedder.doEmbed(texts, options);
      throw new LmError({ code: "lm-unreachable", problem: "Nobody is there" });
    },
  };
}

/** The rehearsal LM, on a server that goes away. */
function awayAfter(calls: number): LanguageModel {
  const lm = rehearsalLm();
  let answered = 0;
  return {
    identity: lm.identity,
    doGenerate: async (request, options) => {
      if (++answered <= calls) return lm.doGenerate(request, options);
      throw new LmError({ code: "lm-unreachable", problem: "Nobody is there" });
    },
  };
}
