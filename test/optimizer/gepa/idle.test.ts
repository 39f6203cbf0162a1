import { expect, it } from "vitest";
import type { Optimizer, Proposer } from "espalier/optimizer";
import { customProposer, optimizeTexts } from "espalier/optimizer";
import { withChanges } from "../../support/with-changes.ts";
import { keywordTask } from "./support/keyword-task.ts";
import { gepaWith } from "../support/gepa-with.ts";

/** Writes by its call's number, counted from 1. */
async function endOf(
  write: (call: number, current: string) => string,
  options: Parameters<typeof keywordTask>[0] = {},
) {
  const { task } = keywordTask({ hasConflicts: false, ...options });
  let calls = 0;
  const { reason, candidates, rejections, spent } = await optimizeTexts(task, {
    optimizer: gepaWith({
      maxIdleIterations: 5,
      proposer: customProposer("scripted", ({ component: { value } }) => write(++calls, value)),
    }),
    budget: { metricCalls: 2_000 },
  });
  const why = rejections.map((refusal) => refusal.reason);
  return { reason, calls, why, accepted: candidates.length - 1, metricCalls: spent.metricCalls };
}

it("a run ends after so many iterations without a text worth a try, each asked for twice", async () => {
  const { reason, why, accepted } = await endOf((_, current) => current);
  expect(reason).toBe("nothing-new");
  expect(accepted).toBe(0);
  expect(why).toEqual(Array.from({ length: 10 }, () => "unchanged"));
});

it("a search whose texts are tried in vain goes on until the budget is spent", async () => {
  // Every fourth text is new, and worse the longer it is.
  const { reason, metricCalls, accepted } = await endOf(
    (call, current) => (call % 4 === 0 ? `${current} vain-${call}` : current),
    { leak: ({ first = "", second = "" }) => -0.001 * `${first} ${second}`.length },
  );
  expect(reason).toBe("budget");
  expect(metricCalls).toBeGreaterThan(1_900);
  expect(accepted).toBe(0);
});

it("a search that begins to repeat itself ends after so many iterations that spend nothing", async () => {
  const { reason, why } = await endOf((call, current) => `${current} vain-${call % 7}`);
  expect(reason).toBe("nothing-new");
  expect(why).toContain("not-better-on-val");
  expect(why.slice(-8).filter((one) => one === "already-tried").length).toBeGreaterThan(4);
});

it("a search that no cap bounds ends where neither its texts nor its runs count", async () => {
  const { task } = keywordTask({ hasConflicts: false });
  const stop = new AbortController();
  let texts = 0;
  const free: Proposer = {
    name: "free",
    asksReflection: false,
    propose: async (requests) => {
      if (texts > 500) stop.abort(new Error("It does not end."));
      return requests.map(() => ({ ok: true, text: `text ${++texts}` }));
    },
  };
  const { reason } = await optimizeTexts(task, {
    optimizer: gepaWith({ maxIdleIterations: 5, proposer: free }),
    budget: { reflectionCalls: 5 },
    signal: stop.signal,
  });
  expect(reason).toBe("nothing-new");
});

it("a stop from outside is asked after every reason of the search's own", async () => {
  const { task } = keywordTask({ hasConflicts: false });
  const asked: number[] = [];
  let iterations = 0;
  const idling = gepaWith({
    maxIdleIterations: 5,
    stop: [{ name: "never", stop: () => null }],
    proposer: customProposer("idle", ({ component: { value } }) => value),
  });
  const search = async (from: number) => {
    iterations = 0;
    asked.length = 0;
    const stopping: Optimizer = {
      ...idling,
      doOptimize: (space, run) =>
        idling.doOptimize(
          space,
          withChanges(run, {
            stopAsked: () => (asked.push(iterations) && iterations >= from ? "now" : null),
          }),
        ),
    };
    const { reason, detail } = await optimizeTexts(task, {
      optimizer: stopping,
      budget: { metricCalls: 2_000 },
      onEvent: ({ kind }) => {
        if (kind === "iteration-end") iterations++;
      },
    });
    return { reason, ...(detail !== undefined && { detail }) };
  };
  expect(await search(5)).toEqual({ reason: "nothing-new" });
  expect(asked).toEqual([0, 1, 2, 3, 4]);
  expect(await search(4)).toEqual({ reason: "stopper", detail: "now" });
});

it("a new candidate begins the count anew", async () => {
  const { calls, accepted } = await endOf((call, current) =>
    call % 8 === 0 ? `${current} w${(call / 8) % 12}` : current,
  );
  expect(accepted).toBeGreaterThan(1);
  expect(calls).toBeGreaterThan(20);
});
