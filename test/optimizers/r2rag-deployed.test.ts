import { expect, test } from "vitest";
import type { Retriever } from "espalier";
import type { Parts } from "espalier/servers";
import { rehearsalLm } from "@espalier/rehearsal";
import deployed from "../../optimizers/r2rag-deployed.ts";
import { rehearsalParts } from "../support/rehearsal-parts.ts";

const web: Retriever = {
  name: "web",
  version: "1",
  doRetrieve: async () => [{ id: "page", text: "The bridge was finished in 1902.", score: 1 }],
};

/** What the study tells the writer of the first answer. */
async function toldBy(given: Parts) {
  const { program, trainset } = await deployed(given);
  const [example] = trainset.splits.test;
  if (example === undefined) throw new Error("no question");
  const { trace } = await program.attempt(example.input, { lm: rehearsalLm(), exampleId: "one" });
  const asked = trace.children.find(
    (node) => node.kind === "predictor" && node.predictor === "writeCitedAnswer",
  );
  return asked?.kind === "predictor" ? asked.inputs : undefined;
}

test("the answer is told how far the web reaches, as the paper states it, and nothing of four shelves", async () => {
  const told = await toldBy({ ...rehearsalParts(), search: () => web });
  expect(told).toMatchObject({ knowledgeCutoff: "December 2024" });
  const shelves = await toldBy(rehearsalParts());
  expect(shelves).toHaveProperty("question");
  expect(shelves).not.toHaveProperty("knowledgeCutoff");
});
