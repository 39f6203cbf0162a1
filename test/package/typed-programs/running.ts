import type { MetricArguments } from "espalier";
import { study } from "espalier";
import type { AiSdkModel } from "@espalier/ai-sdk";
import { fromAiSdk } from "@espalier/ai-sdk";
import { loadArtifact, openRegistry } from "espalier/artifact";
import { compare, evaluate, failureTable } from "espalier/evaluate";
import { hosted } from "espalier/hosted";
import { faithfulness } from "@espalier/judge";
import { connect, withLimit, limiter, withRetry } from "espalier/lm";
import { metric, scored } from "espalier/metric";
import { gepa, optimize } from "espalier/optimizer";
import { compareRuns } from "espalier/report";
import { otlp } from "@espalier/tracking";
import { trainset } from "espalier/trainset";
import { clerk } from "./clerk.ts";

const named = metric({
  name: "units",
  version: "1",
  score: ({ output }: MetricArguments<unknown, { readonly units: number | null }, unknown>) =>
    output.units === null ? scored(0, "Name the units.") : scored(1),
});

/** From a model to a compiled program, by code. */
export async function run(model: AiSdkModel, apiKey: string): Promise<readonly string[]> {
  await using lm = connect({ baseUrl: "http://127.0.0.1:8000/v1", model: "m", concurrency: 32 });
  const other = withRetry(
    withLimit(hosted({ provider: "anthropic", model: "m", apiKey }), limiter(8)),
  );
  const third = fromAiSdk(model);
  const examples = [
    { id: "a", input: { question: "How much ink?" }, labels: {} },
    { id: "b", input: { question: "How much glue?" }, labels: {} },
  ];
  const declared = await evaluate({ program: clerk, examples, metric: named, lm });
  const again = await evaluate({
    program: clerk,
    examples,
    metric: named,
    lm: other,
    judgeLm: third,
  });
  const { difference, verdict } = compare(declared, again);
  const listener = otlp({ url: "http://127.0.0.1:4318" }).search();
  const press = trainset({
    name: "press",
    version: "1",
    licence: "CC0-1.0",
    source: "own writing",
    splits: { train: examples, val: examples },
  });
  const searched = study({ name: "clerk", program: clerk, trainset: press, objective: named });
  const { best, program } = await optimize(searched, {
    optimizer: gepa(),
    budget: { metricCalls: 50 },
    lm,
    onEvent: listener.onEvent,
  });
  const { answer, kind } = await program.run({ question: "How much ink?" }, { lm });
  const loaded = await loadArtifact("artifact.json", clerk);
  const registry = openRegistry("artifacts");
  const judge = faithfulness({ question: "question", answer: "answer", passages: "passages" });
  return [
    `${best.id} ${difference} ${verdict} ${failureTable(declared).groups.length}`,
    `${answer} ${kind satisfies "stock" | "other"} ${loaded.name} ${judge.name}`,
    ...(await registry.programs()),
    ...compareRuns([]).sources.map(({ key }) => key),
  ];
}
