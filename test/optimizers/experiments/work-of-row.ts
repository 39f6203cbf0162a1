import type { Experiment } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import { rehearsalParts } from "../../support/rehearsal-parts.ts";

/**
 * What a row of a table asks, searches and reranks about a turn that is not the first of its
 * conversation, as paths of the trace, with what it returns and its score.
 */
export async function workOfRow({ rows }: Experiment, name: string) {
  const { study: made, candidate = [] } = rows.find((row) => row.name === name) ?? {};
  if (typeof made !== "function") throw new Error(`no row ${name} that takes parts`);
  const { program, trainset, objective } = await made(rehearsalParts());
  const example = trainset.splits.test.find(
    ({ input }) => (input as { readonly history: readonly unknown[] }).history.length > 0,
  );
  if (example === undefined) throw new Error("no later turn");
  const attempt = await program
    .with(candidate)
    .attempt(example.input, { lm: rehearsalLm(), exampleId: example.id });
  if (attempt.state === "failed") throw attempt.error;
  const { trace, output } = attempt;
  const score = await objective.doScore({ example, output, trace });
  return { paths: trace.children.map(({ path }) => path), trace, output, score };
}
