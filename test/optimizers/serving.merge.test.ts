import { resolve } from "node:path";
import { openRegistry } from "espalier/artifact";
import { rehearsalLm } from "@espalier/rehearsal";
import type { ChatOutcome } from "espalier/serve";
import { chatServer, runChat } from "espalier/serve";
import { expect, test } from "vitest";
import declareShelves from "../../optimizers/serving.ts";
import { clientOf } from "../serve/served.ts";
import { rehearsalParts } from "../support/rehearsal-parts.ts";

const shelves = await declareShelves(rehearsalParts());

test("each shipped system answers over HTTP and cites passages of the shelves (rehearsal)", async () => {
  await using server = await chatServer({ serving: shelves, lm: rehearsalLm() });
  const { data } = await clientOf(server).models.list();
  const ids = data.map(({ id }) => id);
  expect(ids).toEqual([
    "notes-guided",
    "r2rag",
    "r2rag/vanilla-rag",
    "r2rag/vanilla-agent",
    "hanrag",
    "ails-ntua",
  ]);
  for (const model of ids) {
    const reply = await clientOf(server).chat.completions.create({
      model,
      messages: [{ role: "user", content: "What does registering a birth in Halmere cost?" }],
    });
    const message = reply.choices[0]?.message as unknown as Record<string, readonly string[]>;
    const citations = message["citations"] ?? [];
    expect({
      model,
      isAnswered: (message["content"]?.length ?? 0) > 0,
      cites: citations.every((url) => url.startsWith("urn:passage:")),
      contexts: message["contexts"]?.length,
      spends: (reply.usage?.total_tokens ?? 0) > 0,
    }).toEqual({ model, isAnswered: true, cites: true, contexts: citations.length, spends: true });
  }
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
});

test("no question that the page offers is answered wrongly (rehearsal)", async () => {
  const answers: Readonly<Record<string, string>> = {
    "In what year was the giant fish of the Vessen given up for lost?": "1961",
    'Whose picture is "Peat Cutters at Seven"?': "Teresa Vaal",
    "How many voters must back me before I can run for Halmere's regional assembly?": "300",
  };
  for (const model of shelves.models) {
    expect(model.description).toMatch(/four shelves/);
    expect(model.exampleQuestions).toHaveLength(3);
    for (const question of model.exampleQuestions ?? []) {
      const outcome = await runChat(model, { question, history: [], id: "q", lm: rehearsalLm() });
      const right = answers[question] ?? "a question of the table above";
      expect(`${model.id}: ${outcome.answer}`).toContain(right);
    }
  }
});

test("the shipped artifacts of served systems fit them, and answer as their versions (rehearsal)", async () => {
  const registry = openRegistry(resolve(import.meta.dirname, "../../artifacts"));
  await using server = await chatServer({ serving: shelves, lm: rehearsalLm(), registry });
  const versions = (await server.models()).filter(({ name }) => name.includes("@"));
  expect(versions.map(({ name }) => name.split("@")[0])).toEqual(["r2rag", "hanrag"]);
  for (const { name, version } of versions) {
    const reply = await clientOf(server).chat.completions.create({
      model: name,
      messages: [{ role: "user", content: "What does registering a birth in Halmere cost?" }],
    });
    expect(reply).toMatchObject({ metadata: { version } });
  }
});

test("live metrics find a version that falls silent, rambles or makes things up (rehearsal)", async () => {
  const question = "What does registering a birth in Halmere cost?";
  for (const model of shelves.models) {
    const outcome = await runChat(model, { question, history: [], id: "q", lm: rehearsalLm() });
    const scored = (answer: string): number => {
      const given: ChatOutcome = { ...outcome, answer };
      const metrics = Object.values(model.liveMetrics ?? {});
      const scores = metrics.map((metric) => metric({ question, history: [], outcome: given }));
      return scores.reduce((sum, score) => sum + score, 0) / scores.length;
    };
    expect(scored(outcome.answer)).toBe(1);
    expect(scored("I do not know.")).toBeLessThan(0.7);
    expect(scored("Forty-one zorkmids [9], said Quillfeather [9].")).toBeLessThan(0.8);
    expect(scored(`${outcome.answer} `.repeat(401))).toBeLessThan(0.8);
  }
});
