import { z } from "zod";
import { labelWeight, predict, program, signature, study, text } from "espalier";
import { harmonicMeanOf, metric, scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import { spelledReply } from "../../program/decision/spelled-reply.ts";
import type { VllmServer } from "../../support/vllm-server.ts";
import { chat, chatPath, vllmServer } from "../../support/vllm-server.ts";

const question = text("question");
const answer = text("answer");
const classify = signature({
  name: "classify",
  instruction: "Is there an answer?",
  input: { question },
  output: { label: z.enum(["ANSWER", "ABSTAIN"]) },
});
const write = signature({
  name: "write",
  instruction: "Answer.",
  input: { question },
  output: { answer },
});
const decline = signature({
  name: "decline",
  instruction: "Decline.",
  input: { question },
  output: { answer },
});

const routed = program({
  name: "routed",
  version: "1",
  input: { question },
  output: { answer },
  predictors: {
    classify: predict(classify, { probabilities: { label: {} } }),
    write: predict(write),
    decline: predict(decline),
  },
  parameters: {
    abstaining: labelWeight({ predictor: "classify", field: "label", label: "ABSTAIN" }),
  },
  forward: async (given, { predictors }) => {
    const { label } = await predictors.classify(given);
    return label === "ANSWER" ? predictors.write(given) : predictors.decline(given);
  },
});

interface Labels {
  readonly isAnswerable: boolean;
}

/** The share of right answers and the share of right abstentions, by their harmonic mean. */
const balance = metric<{ readonly question: string }, { readonly answer: string }, Labels>({
  name: "balance",
  version: "1",
  score: ({ example, output }) =>
    scored(Number((output.answer === "It is so.") === example.labels.isAnswerable)),
  aggregate: (rows) => balanceOf(rows.map(({ value, example }) => ({ value, ...example.labels }))),
});

/** The objective by its definition, for references. */
export function balanceOf(rows: readonly (Labels & { readonly value: number })[]): number {
  const meanOf = (isAnswerable: boolean): number => {
    const group = rows.filter((row) => row.isAnswerable === isAnswerable);
    return group.reduce((sum, { value }) => sum + value, 0) / Math.max(1, group.length);
  };
  return harmonicMeanOf([meanOf(true), meanOf(false)]);
}

/** Questions with the probability of ABSTAIN that the LM gives to each: always below a half. */
export const questions = Array.from({ length: 120 }, (_, index) => {
  const isAnswerable = index % 2 === 0;
  const spread = ((index * 7) % 20) / 20;
  return {
    id: `q${index}`,
    isAnswerable,
    abstaining: isAnswerable ? 0.02 + 0.25 * spread : 0.15 + 0.33 * spread,
  };
});

const rows = questions.map(({ id, isAnswerable, abstaining }, index) => ({
  id,
  cluster: `conversation-${Math.floor(index / 4)}`,
  input: { question: `${id}: ${abstaining}` },
  labels: { isAnswerable },
}));

export const routedStudy = study({
  name: "routed",
  program: routed,
  objective: balance,
  trainset: trainset({
    name: "routed",
    version: "1",
    licence: "CC0",
    source: "this test",
    splits: { train: rows.slice(0, 20), val: rows.slice(20, 80), test: rows.slice(80) },
  }),
});

/** A server whose log-probabilities are as the questions say. */
export async function routingServer(): Promise<VllmServer> {
  const server = await vllmServer();
  server.always(chatPath, (request, response) => {
    const { name } = request.body.response_format.json_schema;
    if (name !== "classify") {
      const content = JSON.stringify({ answer: name === "write" ? "It is so." : "No idea." });
      return chat({ content })(request, response);
    }
    const asked = String(request.body.messages.at(-1).content);
    const abstaining = Number(/q\d+: ([\d.]+)/.exec(asked)?.[1]);
    const label = { ANSWER: 1 - abstaining, ABSTAIN: abstaining };
    return spelledReply(['{"label": "', label, '"}'])(request, response);
  });
  return server;
}
