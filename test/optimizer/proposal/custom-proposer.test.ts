import { expect, it } from "vitest";
import type { OptimizeTextsOptions, ProposalRequest, Proposer } from "espalier/optimizer";
import { customProposer, gepa, optimizeTexts, reflectiveProposer } from "espalier/optimizer";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { keywordTask } from "../gepa/support/keyword-task.ts";
import { gepaWith } from "../support/gepa-with.ts";

/** Adds the first word that feedback asks for, at once or later. */
function writing(asked: ProposalRequest[], failAt = Infinity, isAtOnce = false): Proposer {
  const write = (request: ProposalRequest): string => {
    if (asked.length === failAt) throw new Error("The editor has gone home.");
    asked.push(request);
    const feedback = request.cases.map((one) => one.feedback).join("\n");
    const word = /ADD (w\d+)/.exec(feedback)?.[1] ?? "more";
    return `${request.component.value} ${word}`;
  };
  return customProposer("adds-words", isAtOnce ? write : async (request) => write(request));
}

async function search(proposer: Proposer, options: Partial<OptimizeTextsOptions> = {}) {
  const { task } = keywordTask({ hasConflicts: false });
  return optimizeTexts(task, {
    optimizer: gepaWith({ proposer }),
    budget: { metricCalls: 80 },
    ...options,
  });
}

it("writes texts from requests that say what is to be improved, beside what, and why", async () => {
  const asked: ProposalRequest[] = [];
  const { candidates, spent } = await search(writing(asked));
  expect(candidates.length).toBeGreaterThan(2);
  expect(spent.reflectionCalls).toBe(asked.length);
  const [request] = asked;
  expect(request).toMatchObject({
    id: expect.stringMatching(/^iteration-1\b/),
    place: "The text `first` of `keywords`.",
    component: { kind: "instruction", path: "first", value: "Begin." },
  });
  expect(request?.candidate.map(({ path }) => path)).toEqual(["first", "second", "third"]);
  expect(request?.cases[0]?.feedback).toMatch(/^On this very call:\nADD w\d+\nOn the whole run/);
});

it("is held to the cap on reflection calls", async () => {
  const asked: ProposalRequest[] = [];
  const { reason, spent } = await search(writing(asked), {
    budget: { metricCalls: 500, reflectionCalls: 3 },
  });
  expect(reason).toBe("budget");
  expect(asked.length).toBeLessThanOrEqual(3);
  expect(spent.reflectionCalls).toBe(asked.length);
});

it("needs no reflection LM; without one, a proposer that asks is refused before anything is spent", async () => {
  const { task, calls } = keywordTask();
  const asking = { ...writing([]), asksReflection: true };
  for (const optimizer of [gepa(), gepaWith({ proposer: asking })]) {
    const error = await thrownBy(() =>
      optimizeTexts(task, { optimizer, budget: { metricCalls: 80 } }),
    );
    expect(error.code).toBe("option-invalid");
    expect(error.message).toContain("Pass `reflectionLm`");
  }
  expect(calls).toEqual([]);
  expect(gepa().asksReflection).toBe(true);
  expect(gepaWith({ proposer: writing([]) }).asksReflection).toBe(false);
});

it("that says it asks no LM, and does, is refused", async () => {
  const error = await thrownBy(() => search({ ...reflectiveProposer(), asksReflection: false }));
  expect(error.code).toBe("option-invalid");
  expect(error.message).toContain("Remove `asksReflection: false`");
});

it("is told why a text was refused, once", async () => {
  const asked: ProposalRequest[] = [];
  const stubborn = customProposer("stubborn", (request) => {
    asked.push(request);
    return request.component.value;
  });
  const { rejections } = await search(stubborn, {
    budget: { metricCalls: 80, reflectionCalls: 4 },
  });
  expect(rejections.every(({ reason }) => reason === "unchanged")).toBe(true);
  const [first, second] = asked;
  expect(first?.refused).toBeUndefined();
  expect(second?.refused).toEqual([
    { text: first?.component.value, detail: "The proposed text is the current one." },
  ]);
  expect(second?.id).toBe(`${first?.id}/again-1`);
  expect(asked.filter(({ id }) => id.includes("again-1/again"))).toEqual([]);
});

it.each([
  ["at once", true],
  ["later", false],
])(
  "ends the run with what it threw %s and for which request; the run resumes where it was",
  async (_, isAtOnce) => {
    await using folder = await temporaryFolder();
    const undisturbed = await search(writing([], Infinity, isAtOnce));
    const before: ProposalRequest[] = [];
    const error = await thrownBy(() =>
      search(writing(before, 3, isAtOnce), { runFolder: folder.path }),
    );
    expect(error).toMatchObject({
      code: "proposer-failed",
      cause: new Error("The editor has gone home."),
    });
    expect(error.message).toContain("`adds-words`");
    expect(error.message).toMatch(/request `iteration-\d+\S*` for `instruction:\w+`/);
    expect(error.message).toContain("The editor has gone home.");

    const after: ProposalRequest[] = [];
    const resumed = await search(writing(after, Infinity, isAtOnce), {
      runFolder: folder.path,
      resume: true,
    });
    expect(resumed.candidates).toEqual(undisturbed.candidates);
    expect(resumed.spent).toEqual(undisturbed.spent);
    // What it wrote before is on file.
    const askedBefore = new Set(before.map(({ id }) => id));
    expect(askedBefore.size).toBe(3);
    expect(after.filter(({ id }) => askedBefore.has(id))).toEqual([]);
    expect(after.length + before.length).toBe(resumed.spent.reflectionCalls);

    const never = writing([], 0, isAtOnce);
    const again = await search(never, { runFolder: folder.path, resume: true });
    expect(again.candidates).toEqual(resumed.candidates);
  },
);

it.each([[undefined], [null], [{ text: "Begin." }]])(
  "may not give %j for a text",
  async (value) => {
    const error = await thrownBy(() => search(customProposer("odd", () => value as never)));
    expect(error.code).toBe("proposer-failed");
    expect(error.message).toContain("not a string");
  },
);

it("is not blamed for an abort", async () => {
  const controller = new AbortController();
  const patient = customProposer("patient", async (_, signal) => {
    controller.abort();
    signal.throwIfAborted();
    return "";
  });
  const error = await thrownBy(() => search(patient, { signal: controller.signal }));
  expect(error.code).toBe("aborted");
});
