import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rehearsalLm } from "@espalier/rehearsal";
import type { LanguageModel, LmRole } from "espalier";
import { LmError } from "espalier";
import { notApplicable } from "espalier/metric";
import type { Optimizer } from "espalier/optimizer";
import {
  bootstrapFewShot,
  gepa,
  autoSearch,
  inTurn,
  miproV2,
  optimize,
  readRun,
} from "espalier/optimizer";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { kindsLm, kindsStudy } from "../few-shot/support/kinds.ts";
import { placeStudy } from "../support/place-search.ts";
import { runPlaces } from "../support/run-places.ts";

/** Texts alone: demonstrations would be something to try whatever reflection writes. */
const textsAlone = {
  "gepa()": gepa(),
  "miproV2()": miproV2({ components: ["instruction"] }),
};
const everyKind = {
  ...textsAlone,
  "autoSearch()": autoSearch(),
};

/** The rehearsal LM, but for replies in these roles; `undefined` leaves one as it is. */
function saying(
  content: (role: LmRole | undefined, call: number) => string | undefined,
): LanguageModel & { calls: number } {
  const lm = rehearsalLm();
  const own = {
    identity: { provider: "test", model: "scripted" },
    calls: 0,
    doGenerate: async (...given: Parameters<LanguageModel["doGenerate"]>) => {
      const reply = await lm.doGenerate(...given);
      const said = content(given[1]?.role, ++own.calls);
      return said === undefined ? reply : { ...reply, content: said };
    },
  };
  return own;
}

const unreadableReflection = (role: LmRole | undefined): string | undefined =>
  role === "reflection" ? "I would rather not." : undefined;

function scoring(doScore: (typeof placeStudy)["objective"]["doScore"]): typeof placeStudy {
  return { ...placeStudy, objective: { ...placeStudy.objective, doScore } };
}

const { train, val } = placeStudy.trainset.splits;
const budget = { metricCalls: 400, reflectionCalls: 100 };
const each = Object.entries<Optimizer>;

describe("a search in which every reply is invalid", () => {
  it.each(each(everyKind))("ends early: %s", async (_, optimizer) => {
    const lm = saying(() => "Sorry, no JSON today.");
    const error = await thrownBy(() => runPlaces({ optimizer, lm, budget, concurrency: 1 }));
    expect(error.code).toBe("search-hopeless");
    expect(error.message).toContain("every reply was invalid. Expected: ");
    expect(error.message).toContain(
      "runs failed on the output format: The reply is not a JSON object. Got: Sorry, no JSON",
    );
    expect(error.message).toContain("Try a model that");
    // A predictor asks twice.
    expect(lm.calls).toBeLessThan((2 * budget.metricCalls) / 3);
  });

  it("says so again when it is resumed, at no cost, whatever had finished first", async () => {
    await using folder = await temporaryFolder();
    for (const [name, optimizer] of each({ gepa: gepa(), mipro: miproV2() })) {
      const runFolder = join(folder.path, name);
      const lm = saying(() => "Sorry.");
      const run = { optimizer, lm, budget, runFolder };
      const first = await thrownBy(() => runPlaces(run));
      const { calls } = lm;
      const again = await thrownBy(() => runPlaces({ ...run, resume: true }));
      expect(again.message).toBe(first.message);
      expect(lm.calls).toBe(calls);
      expect(readRun(runFolder).end).toBeUndefined();
      expect(existsSync(join(runFolder, "artifact.json"))).toBe(false);
    }
  });

  it("goes on to what may cure it, such as the demonstrations of a teacher", async () => {
    const lm: LanguageModel = {
      ...kindsLm,
      doGenerate: async (request, options) => {
        const reply = await kindsLm.doGenerate(request, options);
        return request.messages.length > 2 ? reply : { ...reply, content: "Sorry, no JSON today." };
      },
    };
    const optimizer = bootstrapFewShot({ teacher: { lm: kindsLm } });
    const { best } = await optimize(kindsStudy, { optimizer, lm, budget });
    expect(best.id).toBeGreaterThan(0);
  });

  it("goes on where three replies in ten are valid", async () => {
    const lm = saying((role, call) =>
      role !== "reflection" && call % 10 > 2 ? "Sorry, no JSON today." : undefined,
    );
    const { result } = await runPlaces({ optimizer: gepa(), lm, concurrency: 1 });
    expect(result.reason).toBe("budget");
  });

  it("is not one in which the server fails", async () => {
    const lm: LanguageModel = {
      identity: { provider: "test", model: "down" },
      doGenerate: () =>
        Promise.reject(new LmError({ code: "lm-server-error", problem: "It broke" })),
    };
    const error = await thrownBy(() => runPlaces({ optimizer: gepa(), lm, budget }));
    expect(error.code).not.toBe("search-hopeless");
  });
});

describe("a search in which reflection writes nothing that can be read", () => {
  it.each(each(textsAlone))("is hopeless: %s", async (_, optimizer) => {
    const lm = saying(unreadableReflection);
    const error = await thrownBy(() => runPlaces({ optimizer, lm, budget }));
    expect(error.code).toBe("search-hopeless");
    expect(error.message).toMatch(/Got: \d+ replies in a row that were unreadable/);
    expect(error.message).toContain("I would rather not.");
    expect(error.message).toContain("another reflection LM");
  });

  it.each(each(textsAlone))(
    "says so again when it is resumed, at no cost: %s",
    async (_, optimizer) => {
      await using folder = await temporaryFolder();
      const lm = saying(unreadableReflection);
      const run = { optimizer, lm, budget, runFolder: folder.path };
      const first = await thrownBy(() => runPlaces(run));
      const { calls } = lm;
      const again = await thrownBy(() => runPlaces({ ...run, resume: true }));
      expect([again.message, lm.calls]).toEqual([first.message, calls]);
    },
  );

  it("ends at its cap as ever, where that comes first", async () => {
    const lm = saying(unreadableReflection);
    const capped = { metricCalls: 400, reflectionCalls: 4 };
    const { result } = await runPlaces({ optimizer: gepa(), lm, budget: capped });
    expect(result.reason).toBe("budget");
  });

  it("is not, once a text was tried", async () => {
    let texts = 0;
    const lm = saying((role) => (role === "reflection" && texts++ > 0 ? "No more." : undefined));
    const { result } = await runPlaces({ optimizer: gepa(), lm, budget });
    expect(result.reason).toBe("reflection-failing");
  });

  it("is not, where the reflection LM's server fails", async () => {
    const lm = rehearsalLm();
    const reflectionLm: LanguageModel = {
      identity: { provider: "test", model: "down" },
      doGenerate: () =>
        Promise.reject(new LmError({ code: "lm-server-error", problem: "It broke" })),
    };
    const { result } = await runPlaces({ optimizer: gepa(), lm, reflectionLm, budget });
    expect(result.reason).toBe("reflection-failing");
  });
});

describe("a search with nothing to learn from on train", () => {
  const ofTrain = new Set(train.map(({ id }) => id));

  // MIPROv2 writes texts without a failing example.
  const learning = each(textsAlone).filter(([name]) => name !== "miproV2()");

  it.each(learning)("says so at its end: %s", async (_, optimizer) => {
    const study = scoring((given) =>
      ofTrain.has(given.example.id)
        ? Promise.resolve({ kind: "scored", value: 1 })
        : placeStudy.objective.doScore(given),
    );
    const error = await thrownBy(() => runPlaces({ optimizer, budget }, study));
    expect(error.code).toBe("search-hopeless");
    expect(error.message).toContain("nothing to learn from in train");
    expect(error.message).toContain("examples with a perfect score");
    expect(error.message).toContain("Put harder examples into `train`");
  });
});

it.each(
  each({
    "gepa()": gepa({ search: { perfectScore: 0.5 } }),
    "inTurn()": inTurn([gepa({ search: { perfectScore: 0.5 } })]),
  }),
)("a perfect score is what the optimizer takes for one: %s", async (_, optimizer) => {
  const ofTrain = new Set(train.map(({ id }) => id));
  const study = scoring(async ({ example }) => {
    return { kind: "scored", value: ofTrain.has(example.id) ? 0.5 : 0.25 };
  });
  const error = await thrownBy(() => runPlaces({ optimizer, budget }, study));
  expect(error.code).toBe("search-hopeless");
  expect(error.message).toContain("nothing to learn from in train");
});

describe("a search with parts", () => {
  it("goes on with the next, whatever one of them cannot find", async () => {
    const parts = [bootstrapFewShot({ budget: { metricCalls: 600 } }), gepa()];
    const capped = { metricCalls: 1_000, reflectionCalls: 100 };
    const { result } = await runPlaces({ optimizer: inTurn(parts), budget: capped });
    expect(result.best.id).toBeGreaterThan(0);
    expect(result.best.acceptance.by).not.toBe("few-shot");
  });
});

describe("a search whose val cannot tell candidates apart", () => {
  it("is not one where val is perfect", async () => {
    const study = scoring(async () => ({ kind: "scored", value: 1 }));
    const run = { optimizer: bootstrapFewShot(), budget: { metricCalls: 800 } };
    const { result } = await runPlaces(run, study);
    expect(result.best).toMatchObject({ id: 0, selection: { value: 1 } });
  });

  it("is not one where the first examples of val have no score", async () => {
    const some = new Set(val.slice(0, -5).map(({ id }) => id));
    const study = scoring((given) =>
      some.has(given.example.id)
        ? Promise.resolve(notApplicable("It has no gold."))
        : placeStudy.objective.doScore(given),
    );
    const { result } = await runPlaces({ optimizer: gepa(), budget }, study);
    expect(result.reason).not.toBe("stopper");
  });

  it.each(each(everyKind))("ends where the metric applies to none: %s", async (_, optimizer) => {
    const study = scoring(async () => notApplicable("It has no gold."));
    const error = await thrownBy(() => runPlaces({ optimizer, budget }, study));
    expect(error.code).toBe("search-hopeless");
    expect(error.message).toContain(
      `applies to none of its examples. Expected: scores for examples in \`val\`. Got: ${val.length} examples`,
    );
  });
});
