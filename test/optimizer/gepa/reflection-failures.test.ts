import { describe, expect, it } from "vitest";
import type {
  OptimizerEvent,
  OptimizerProgress,
  ProposedText,
  Proposer,
  TextScore,
} from "espalier/optimizer";
import { customProposer, optimizeTexts, roundRobin } from "espalier/optimizer";
import { epochMinibatches } from "../../conformance/reference/index.ts";
import { rehearsalLm } from "@espalier/rehearsal";
import { thrownBy } from "../../support/thrown-by.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import { gepaWith } from "../support/gepa-with.ts";

const failed: ProposedText = {
  ok: false,
  reason: "reflection-fault",
  detail: "No server.",
  isFailure: true,
};
const useless: ProposedText = { ...failed, reason: "unchanged", isFailure: false };

/** Writes what a list says, one after the other, and then nothing but failures. */
function scripted(texts: readonly (ProposedText | "writes")[]): Proposer {
  const left = [...texts];
  const directed = directedProposer();
  return {
    name: "scripted",
    asksReflection: false,
    propose: async (requests, run) => {
      const written = await directed.propose(requests, run);
      return written.map((text) => {
        const next = left.shift() ?? failed;
        return next === "writes" ? text : next;
      });
    },
  };
}

describe("failures of reflection (defect D6)", () => {
  it("end the run after so many in a row, and cost nothing but what was run to learn from", async () => {
    const { result, calls } = await search(scripted([]), { maxReflectionFailures: 3 });
    expect(result).toMatchObject({ reason: "reflection-failing", candidates: [{ id: 0 }] });
    expect(result.rejections.map(({ reason }) => reason)).toEqual(
      Array(3).fill("reflection-fault"),
    );
    // The seed on ten examples of val, and on twelve of train.
    expect(calls).toHaveLength(10 + 12);
  });

  it("are counted anew after a text that could be used, and after one that was of no use", async () => {
    for (const between of ["writes", useless] as const) {
      const proposer = scripted([failed, failed, between, failed, failed, between]);
      const { result } = await search(proposer, { maxReflectionFailures: 3 });
      expect(result.reason).toBe("reflection-failing");
      const faults = result.rejections.filter(({ reason }) => reason === "reflection-fault");
      expect(faults).toHaveLength(4 + 3);
    }
  });

  it("of a custom proposer are what it throws, which ends the run", async () => {
    const broken = customProposer("broken", () => {
      throw new Error("Out of ideas.");
    });
    await expect(search(broken, {})).rejects.toThrow("Out of ideas.");
  });

  it("include a reflection LM that never writes anything, which costs no call of the task", async () => {
    const { task, calls } = keywordTask();
    const { identity, doGenerate } = rehearsalLm();
    const run = optimizeTexts(task, {
      optimizer: gepaWith({ maxReflectionFailures: 4, secondTries: 0 }),
      budget: { metricCalls: 200 },
      reflectionLm: {
        identity,
        doGenerate: async (...given) => ({ ...(await doGenerate(...given)), content: "" }),
      },
    });
    expect((await thrownBy(() => run)).message).toContain("Got: 4 replies in a row");
    expect(calls).toHaveLength(10 + 12);
  });

  it("of fewer than one are refused as a limit", async () => {
    const error = await thrownBy(() => gepaWith({ maxReflectionFailures: 0 }));
    expect(error.code).toBe("option-invalid");
  });
});

describe("behaviour 14: an empty proposal", () => {
  it.each(["", " \n", "```\n```"])("of %j is not run, nor told as a candidate", async (text) => {
    const { result, calls, events } = await search(
      customProposer("empty", () => text),
      { maxReflectionFailures: 2 },
    );
    expect(calls).toHaveLength(10 + 12);
    expect(events.some(({ kind }) => kind === "candidate-proposed")).toBe(false);
    expect(result.rejections.map(({ reason }) => reason)).toEqual(["empty", "empty"]);
  });
});

describe("behaviour 13: a proposal that learns nothing costs the parent's calls alone", () => {
  const options = { minibatch: epochMinibatches({ size: 3 }), maxIdleIterations: 5 };

  it.each<readonly [string, TextScore]>([
    ["all-perfect", { score: 1, feedback: "Perfect." }],
    ["not-invoked", { score: 0.5 }],
    ["not-invoked", { score: 0.5, ran: [], feedback: "Nothing ran." }],
  ])("where its minibatch is %s (%j)", async (reason, said) => {
    const { task } = keywordTask();
    const calls: string[] = [];
    const events: (OptimizerEvent | OptimizerProgress)[] = [];
    const run = optimizeTexts(
      {
        ...task,
        evaluate: (_texts, _example, { exampleId }) => {
          calls.push(exampleId);
          return exampleId.startsWith("t") ? said : { score: 0.5, ran: said.ran ?? ["first"] };
        },
      },
      {
        optimizer: gepaWith({ ...options, scoreReuse: "none", proposer: directedProposer() }),
        budget: { metricCalls: 200 },
        onEvent: (event) => events.push(event),
      },
    );
    const end = reason === "all-perfect" ? (await thrownBy(() => run)).code : (await run).reason;
    expect(end).toBe(reason === "all-perfect" ? "search-hopeless" : "nothing-new");
    const skipped = events.filter((event) => event.kind === "proposal-skipped");
    expect(skipped.map((event) => event.reason)).toEqual(Array(5).fill(reason));
    expect(events.findLast(({ kind }) => kind === "budget-spent")).toMatchObject({
      metricCalls: 10 + 5 * 3,
      reflectionCalls: 0,
    });
    expect(calls).toHaveLength(10 + 5 * 3);
  });
});

async function search(proposer: Proposer, options: Parameters<typeof gepaWith>[0]) {
  const { task, calls } = keywordTask();
  const events: (OptimizerEvent | OptimizerProgress)[] = [];
  const result = await optimizeTexts(task, {
    optimizer: gepaWith({ secondTries: 0, proposer, component: roundRobin(), ...options }),
    budget: { metricCalls: 200 },
    onEvent: (event) => events.push(event),
  });
  return { result, calls, events };
}
