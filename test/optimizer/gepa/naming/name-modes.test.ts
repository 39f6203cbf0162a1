import { expect, it } from "vitest";
import type { GepaOptions, OptimizerEvent, TextOptimizationResult } from "espalier/optimizer";
import { estimateTokens, gepa, optimizeTexts, readRun } from "espalier/optimizer";
import type { ReceivedRequest, ScriptedLm } from "../../../support/scripted-lm.ts";
import { scriptedLm } from "../../../support/scripted-lm.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { askedAgainIn } from "../../support/asked-again-in.ts";
import { cutAfter } from "../../support/cut-after.ts";
import { compiledPart, runPlaces } from "../../support/run-places.ts";
import { expectLedger, restOf, ending } from "../support/event-order.ts";
import { answerOnCauses, causesIn, isNaming, mixedCauses } from "../support/mixed-causes.ts";

type Named = Extract<OptimizerEvent, { kind: "failure-modes-named" }>;

interface CausesRun {
  readonly result: TextOptimizationResult;
  readonly events: readonly OptimizerEvent[];
  readonly named: readonly Named[];
}

async function runCauses(
  { lm }: Pick<ScriptedLm, "lm">,
  {
    failureModes = {},
    budget = { metricCalls: 90 },
    ...options
  }: Partial<Parameters<typeof optimizeTexts>[1]> &
    Pick<NonNullable<GepaOptions["reflection"]>, "failureModes"> = {},
): Promise<CausesRun> {
  const events: OptimizerEvent[] = [];
  const result = await optimizeTexts(mixedCauses(0, { train: 40, val: 20 }), {
    optimizer: gepa({ reflection: { failureModes } }),
    budget,
    reflectionLm: lm,
    onEvent: (event) => {
      if (event.kind !== "progress") events.push(event);
    },
    ...options,
  });
  const named = events.filter((event) => event.kind === "failure-modes-named");
  return { result, events, named };
}

function promptOf({ messages }: ReceivedRequest): string {
  return messages.map(({ content }) => content).join("\n");
}

it("names the modes of the failures once, and shows them with counts to who writes texts", async () => {
  await using server = await scriptedLm(answerOnCauses);
  const { events, named, result } = await runCauses(server);
  const namings = server.received.filter(isNaming);
  expect(namings).toHaveLength(1);
  expect(named).toHaveLength(1);
  const [{ modes, failures, iteration, candidate } = { modes: [] }] = named;
  expect({ iteration, candidate }).toEqual({ iteration: 1, candidate: 0 });
  const causes = causesIn(promptOf(namings[0] as ReceivedRequest));
  expect(causes).toHaveLength(failures ?? 0);
  for (const { name, exampleIds } of modes) {
    expect(exampleIds).toHaveLength(causes.filter((cause) => name === `Ignores ${cause}`).length);
  }
  const [first = ""] = server.received.filter((one) => !isNaming(one)).map(promptOf);
  const [largest] = modes;
  expect(first).toContain(
    `# Failure mode: ${largest?.name} (${largest?.exampleIds.length} of ${failures} failures)`,
  );
  for (const { name } of modes) expect(first).toContain(`# Failure mode: ${name} (`);
  expect(estimateTokens(first)).toBeLessThanOrEqual(16_000);
  // Two examples of the largest mode, and no more.
  expect(causesIn(first).filter((cause) => largest?.name === `Ignores ${cause}`)).toHaveLength(2);
  expect(result.spent.reflectionCalls).toBe(server.received.length);
  expect(result.ledger.byRole["reflection"]?.logical.calls).toBe(server.received.length);
  expectLedger(events);
  expect(restOf(events)).toMatch(ending);
});

it("names none, and writes what it wrote before, unless it is asked to", async () => {
  await using server = await scriptedLm(answerOnCauses);
  const { named, result } = await runCauses(server, { failureModes: false });
  expect(named).toEqual([]);
  expect(server.received.some(isNaming)).toBe(false);
  expect(JSON.stringify(result.run)).not.toContain("failureModes");
});

it("killed at any call and resumed, gives the same and asks nothing twice", async () => {
  await using server = await scriptedLm(answerOnCauses);
  await using folder = await temporaryFolder();
  const whole = await runCauses(server);
  const calls = server.received.length;
  expect(calls).toBeGreaterThan(2);
  for (let cut = 1; cut <= calls; cut++) {
    const runFolder = `${folder.path}/${cut}`;
    const { lm, signal } = cutAfter(cut, server.lm);
    const stopped = runCauses({ lm }, { runFolder, signal });
    await expect(stopped).rejects.toMatchObject({ code: "aborted" });
    const resumed = await runCauses(server, { runFolder, resume: true });
    expect(withoutTime(resumed.result)).toEqual(withoutTime(whole.result));
    expect(resumed.events).toEqual(whole.events);
    expect(await askedAgainIn(runFolder)).toEqual([]);
    expect(readRun(runFolder).failureModes).toEqual(
      whole.named.map(({ kind: _kind, ...naming }) => naming),
    );
  }
});

it("asks once more after a reply that cannot be used, and says why", async () => {
  const namings: ReceivedRequest[] = [];
  await using server = await scriptedLm((request) =>
    isNaming(request) && namings.push(request) === 1
      ? JSON.stringify({ modes: [] })
      : answerOnCauses(request),
  );
  const { named } = await runCauses(server);
  expect(namings.map(promptOf).map((prompt) => prompt.includes("into no mode: list"))).toEqual([
    false,
    true,
  ]);
  expect(named).toHaveLength(1);
  expect(named[0]?.modes.length).toBeGreaterThan(1);
  expect(named[0]).not.toHaveProperty("detail");
});

it.each([
  ["names nothing", JSON.stringify({ modes: [] }), "It puts "],
  ["is no JSON", "I would rather not.", "There was no usable reply: "],
])("goes on without modes where each reply %s", async (_, reply, detail) => {
  await using server = await scriptedLm((request) =>
    isNaming(request) ? reply : answerOnCauses(request),
  );
  const { named, result, events } = await runCauses(server);
  expect(named).toHaveLength(1);
  expect(named[0]).toMatchObject({
    modes: [],
    detail: expect.stringContaining(detail) as string,
  });
  expect(result.candidates.length).toBeGreaterThan(1);
  const texts = server.received.filter((request) => !isNaming(request));
  expect(texts.some((request) => promptOf(request).includes("# Failure mode"))).toBe(false);
  expectLedger(events);
});

it("makes no more requests than allowed, and none that would leave no text", async () => {
  await using server = await scriptedLm((request) =>
    isNaming(request) ? JSON.stringify({ modes: [] }) : answerOnCauses(request),
  );
  await runCauses(server, { failureModes: { calls: 1 } });
  expect(server.received.filter(isNaming)).toHaveLength(1);
  const before = server.received.length;
  const { result } = await runCauses(server, { budget: { metricCalls: 90, reflectionCalls: 1 } });
  expect(server.received.slice(before).map(isNaming)).toEqual([false]);
  expect(result.spent.reflectionCalls).toBe(1);
});

it("asks the judge LM of the run if there is one, and pays for it in its role", async () => {
  await using judge = await scriptedLm((request) => {
    const count = causesOfPlaces(request);
    const modes = [0, 1].map((half) => ({
      name: `Half ${half}`,
      description: "Found in one half.",
      examples: Array.from({ length: count }, (_, place) => place + 1).filter(
        (number) => number % 2 === half,
      ),
    }));
    return JSON.stringify({ modes });
  });
  const optimizer = gepa({ reflection: { failureModes: { calls: 1 } } });
  const run = await runPlaces({ optimizer, judgeLm: judge.lm });
  expect(judge.received).toHaveLength(1);
  const { byRole } = run.result.ledger;
  expect(byRole["judge"]?.logical.calls).toBe(1);
  expect(run.result.spent.reflectionCalls).toBe((byRole["reflection"]?.logical.calls ?? 0) + 1);
  expect(run.events.filter(({ kind }) => kind === "failure-modes-named")).toMatchObject([
    { modes: [{ name: "Half 0" }, { name: "Half 1" }] },
  ]);
  const again = await runPlaces({ optimizer, judgeLm: judge.lm, concurrency: 1 });
  expect(compiledPart(again)).toEqual(compiledPart(run));
});

it("plans one request, and leaves room for all of them where texts are few", () => {
  const planned = (failureModes: false | object, reflectionCalls?: number) =>
    gepa({ reflection: { failureModes } }).doPlan(
      {
        name: "t",
        components: [{ kind: "instruction", path: "a", value: "A." }],
        train: ids,
        val: ids,
        describe: () => "",
      },
      { metricCalls: 500, ...(reflectionCalls !== undefined && { reflectionCalls }) },
    );
  const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const [off, on] = [planned(false), planned({})];
  expect(on.proposals).toEqual(off.proposals);
  expect(on.calls?.reflection).toBe((off.calls?.reflection ?? 0) + 1);
  expect(planned({}, 13).proposals?.least).toBe(planned(false, 10).proposals?.least);
  expect(planned({}, 7).warnings.join()).toContain("and naming failure modes up to 3 in all");
});

it("refuses options that it does not know, or out of range", () => {
  const make = (failureModes: object) => () => gepa({ reflection: { failureModes } });
  expect(make({ mode: 1 })).toThrow("gepa() has no option `reflection.failureModes.mode`");
  for (const options of [{ most: 1 }, { tokens: 1_000 }, { calls: 0 }, { examples: 0 }]) {
    expect(make(options)).toThrow(`failureModes.${Object.keys(options)[0]}`);
  }
});

function withoutTime({
  seconds: _seconds,
  plan: _plan,
  ledger,
  ...rest
}: TextOptimizationResult): object {
  return { ...rest, logical: ledger.total.logical };
}

function causesOfPlaces(request: ReceivedRequest): number {
  return promptOf(request).match(/^# Example \d+/gmu)?.length ?? 0;
}
