import { describe, expect, it } from "vitest";
import { predict, program, signature, text, textOfContent } from "espalier";
import type { ProposalCheck } from "espalier/optimizer";
import { customProposer, optimizeTexts, reflectiveProposer } from "espalier/optimizer";
import { rehearsalLm } from "@espalier/rehearsal";
import type { ScriptedReply } from "../../../support/scripted-lm.ts";
import { scriptedLm } from "../../../support/scripted-lm.ts";
import { thrownBy } from "../../../support/thrown-by.ts";
import { placeStudy } from "../../support/place-search.ts";
import { runPlaces } from "../../support/run-places.ts";
import { keywordTask } from "../support/keyword-task.ts";
import { gepaWith } from "../../support/gepa-with.ts";

const seedText = "Write a search query for the question.";
const isAsked = "Name the town";

/**
 * Runs the place finder until `reflections` texts were asked of a reflection LM that answers so.
 */
async function proposing(
  answer: (prompt: string, index: number) => ScriptedReply,
  {
    reflections = 2,
    checks,
    seed = 0,
  }: { reflections?: number; checks?: readonly ProposalCheck[]; seed?: number } = {},
) {
  await using scripted = await scriptedLm((request, index) =>
    answer(request.messages.map(({ content }) => content).join("\n"), index),
  );
  const run = await runPlaces({
    optimizer: gepaWith({
      components: ["instruction:broadQuery"],
      ...(checks && { checks }),
    }),
    seed,
    budget: { metricCalls: 60, reflectionCalls: reflections },
    reflectionLm: scripted.lm,
  });
  const prompts = scripted.received.map(({ messages }) =>
    messages.map(({ content }) => content).join("\n"),
  );
  return { ...run, prompts };
}

function json(newInstruction: string): string {
  return JSON.stringify({ newInstruction });
}

describe("a text that is refused", () => {
  it("goes back with the reason, once, and the second one is tried", async () => {
    const { prompts, result, events } = await proposing((_, index) =>
      json(index === 0 ? "<think>Hm. Let me see" : `${seedText} ${isAsked} in the query.`),
    );
    const [first = "", second = ""] = prompts;
    expect(first).toContain("\nRefused: (empty)\n\nTask: Write the new instruction");
    expect(second).toContain(
      "\nRefused: <text>\n# Proposal 1\n\n< think>Hm. Let me see\n\n## Why it was refused\n\nThe proposed text holds the thinking mark `< think>`;",
    );
    // All else is as it was.
    expect(second.slice(0, second.indexOf("\nRefused:"))).toBe(
      first.slice(0, first.indexOf("\nRefused:")),
    );
    expect(result.spent.reflectionCalls).toBe(2);
    expect(events.filter(({ kind }) => kind === "candidate-proposed")).toMatchObject([
      { texts: { "instruction:broadQuery": `${seedText} ${isAsked} in the query.` } },
    ]);
  });

  it("is not tried when the second is no better, and is checked again", async () => {
    const { result, events, seen } = await proposing((_, index) =>
      json(index === 0 ? seedText : '{"question": "Where?"}'),
    );
    expect(events.filter(({ kind }) => kind === "candidate-proposed")).toEqual([]);
    expect(result.rejections.map(({ reason, texts }) => ({ reason, texts }))).toEqual([
      { reason: "unchanged", texts: { "instruction:broadQuery": seedText } },
      { reason: "json", texts: { "instruction:broadQuery": '{"question": "Where?"}' } },
    ]);
    // No rollout but the seed's, and those that reflection learnt from.
    const evaluated = events.filter(({ kind }) => kind === "candidate-evaluated");
    expect(evaluated.every((event) => "candidate" in event && event.candidate === 0)).toBe(true);
    expect(seen.rollouts).toBe(result.spent.metricCalls);
  });

  it.each<[string, ScriptedReply, string]>([
    [
      "cut off by the server",
      { content: '{"newInstruction": "Wri', finishReason: "length" },
      "truncated",
    ],
    ["cut off, and said to be whole", '{"newInstruction": "Wri', "unreadable"],
    ["empty", { content: "" }, "empty"],
    ["a thought without an end", "<think>\nOkay, let me try to figure out", "unreadable"],
    ["JSON of another shape", '{"question": "Where?"}', "unreadable"],
  ])(
    "never is one for a reply that is %s, which the driver has corrected once",
    async (_, reply, reason) => {
      const { result, events, prompts } = await proposing(() => reply, { reflections: 1 });
      expect(prompts).toHaveLength(2);
      expect(prompts[1]).toContain("That reply could not be used.");
      expect(result.rejections.map((refusal) => refusal.reason)).toEqual([reason]);
      expect(events.some(({ kind }) => kind === "candidate-proposed")).toBe(false);
    },
  );

  it("ends the run when the reflection LM gives nothing else five times in a row", async () => {
    const error = await thrownBy(() => proposing(() => json("<think>Hm."), { reflections: 40 }));
    expect(error.code).toBe("search-hopeless");
    expect(error.message).toContain("Got: 10 replies in a row");
  });
});

describe("the rehearsal LM", () => {
  it("is not shown a refused text as a worked case, and writes another one", async () => {
    const refusedOnce = new Set<string>();
    // Refuses every text the first time it sees one for a request that has none yet.
    const refusing: ProposalCheck = {
      name: "refuses-every-other",
      check: (written) => {
        if (refusedOnce.size > 0) return null;
        refusedOnce.add(written);
        return { reason: "too-long", detail: "Not this one." };
      },
    };
    const lm = rehearsalLm();
    const written: string[] = [];
    await runPlaces({
      optimizer: gepaWith({ components: ["instruction:broadQuery"], checks: [refusing] }),
      budget: { metricCalls: 60, reflectionCalls: 2 },
      reflectionLm: {
        identity: lm.identity,
        doGenerate: async (request, options) => {
          const reply = await lm.doGenerate(request, options);
          written.push(
            (JSON.parse(reply.content ?? "") as { newInstruction: string }).newInstruction,
          );
          return reply;
        },
      },
    });
    const [first = "", second = ""] = written;
    const added = (whole: string): string[] =>
      whole.split("\n").filter((line) => line !== seedText);
    expect(added(first).length).toBeGreaterThan(0);
    expect(added(second).length).toBeGreaterThan(0);
    for (const line of added(second)) expect(added(first)).not.toContain(line);
  });
});

describe("an instruction for the reflection LM", () => {
  const told = async (instruction: string) => {
    const prompts: string[] = [];
    const lm = rehearsalLm();
    await runPlaces({
      optimizer: gepaWith({ proposer: reflectiveProposer({ instruction }) }),
      budget: { metricCalls: 60, reflectionCalls: 2 },
      reflectionLm: {
        identity: lm.identity,
        doGenerate: (request, options) => {
          prompts.push(request.messages.map(({ content }) => textOfContent(content)).join("\n"));
          return lm.doGenerate(request, options);
        },
      },
    });
    return prompts;
  };
  const own = "Rewrite the instruction in the manner of a sailor.";

  it("replaces the shipped one, and the fields follow it all the same", async () => {
    const prompts = await told(own);
    expect(prompts.length).toBeGreaterThan(0);
    for (const prompt of prompts) {
      expect(prompt).toContain(`<task_definition>\n${own}\n</task_definition>`);
      expect(prompt).toContain(`Instruction: ${seedText}`);
      expect(prompt).toContain("# Example 1");
    }
  });

  it("is part of what a run must have in common with the one it resumes", () => {
    const settingsOf = (instruction?: string): unknown =>
      gepaWith({ proposer: reflectiveProposer(instruction === undefined ? {} : { instruction }) })
        .settings["reflection"];
    expect(settingsOf(own)).toMatchObject({ proposer: { instruction: own } });
    expect(settingsOf()).toMatchObject({ proposer: { name: "reflective" } });
    expect(settingsOf()).not.toHaveProperty("proposer.instruction");
  });

  it.each([
    ["instruction", { instruction: " " }],
    ["maxPromptTokens", { maxPromptTokens: 3_136 }],
  ])("and its other options are checked: %s of %j", async (name, options) => {
    const error = await thrownBy(() => reflectiveProposer(options));
    expect(error).toMatchObject({ code: "option-invalid" });
    expect(error.message).toContain(name);
  });
});

it("refuses a text that was tried in other white space, on which no rollout is spent", async () => {
  const { task } = keywordTask();
  const written = ["Be brief, and polite.", "Be brief,\n\nand\u200B polite. "];
  const proposer = customProposer("repeats itself", () => written.shift() ?? "");
  const { rejections } = await optimizeTexts(
    { ...task, evaluate: () => ({ score: 0.5, feedback: "Say more." }) },
    {
      optimizer: gepaWith({ proposer, components: ["instruction:first"], secondTries: 0 }),
      budget: { metricCalls: 100, reflectionCalls: 2 },
    },
  );
  expect(rejections.map(({ reason }) => reason)).toEqual(["not-better-on-val", "already-tried"]);
});

it.each([
  ["with the shipped instruction", {}, 3_137],
  ["with a longer one", { instruction: "Rewrite it. ".repeat(900) }, 6_290],
])("a prompt is refused that would be too short for any request, %s", async (_, options, least) => {
  const error = await thrownBy(() =>
    reflectiveProposer({ ...options, maxPromptTokens: least - 1 }),
  );
  expect(error).toMatchObject({ code: "option-invalid" });
  expect(error.message).toContain(`\`maxPromptTokens\``);
  expect(error.message).toContain(`at least ${least}.`);
  expect(reflectiveProposer({ ...options, maxPromptTokens: least }).name).toBe("reflective");
});

it("names components whose step no run invoked", async () => {
  const write = signature({
    name: "write-query",
    instruction: seedText,
    input: { question: text("question"), history: text("history") },
    output: { query: text("query") },
  });
  const study = {
    ...placeStudy,
    program: program({
      name: "finder",
      version: "2",
      input: { question: text("question"), history: text("history") },
      output: { found: text("query") },
      predictors: { used: predict(write), spare: predict(write) },
      forward: async (given, { predictors }) => {
        const { query } = await predictors.used(given);
        return query === "" ? { found: (await predictors.spare(given)).query } : { found: query };
      },
    }),
  };
  const { result } = await runPlaces({ budget: { metricCalls: 40 } }, study);
  expect(result.neverInvoked).toEqual(["instruction:spare"]);
  expect(result.candidates.every(({ changed }) => !changed.includes("instruction:spare"))).toBe(
    true,
  );
  expect((await runPlaces()).result.neverInvoked).toEqual([]);
});
