import type { Artifact, ArtifactScore, Compiled } from "../../artifact/index.ts";
import { mocksOfArtifact } from "../../artifact/files.ts";
import type { LmIdentity, Trainset } from "../../contract/index.ts";
import { demonstrationsText } from "../terminal/component-changes.ts";
import { intervalText, modelText } from "../terminal/figures-text.ts";
import { joinLines } from "../terminal/terminal.ts";
import type { MockLabel } from "../../mock/index.ts";
import { mockLabel } from "../../mock/index.ts";
import { inClusters } from "../../statistics/index.ts";

/** Formats an artifact: where it comes from, its scores, then what was compiled. */
export function artifactText(artifact: Artifact): string {
  return joinLines(artifactLines(artifact));
}

/** The lines of `artifactText`. */
export function artifactLines(artifact: Artifact): readonly string[] {
  const { format, hash, compiled } = artifact;
  const { program, lm, optimizer, dataset, scores, lineage } = compiled;
  const label = mockLabel(mocksOfArtifact(artifact));
  const splits = Object.entries(dataset?.splits ?? {});
  return [
    `program ${program.name} ${program.version}, ${hash.slice(0, 12)} (${format})`,
    `module ${program.module ?? "not named"}`,
    `LM ${modelText(lm, label)}`,
    ...lmsOf(artifact).map(([name, asked]) => `${name} by ${asked.model} (${asked.provider})`),
    optimizer === null
      ? "no optimizer"
      : `optimizer ${optimizer.name}, seed ${optimizer.seed}, ${lineage.length} candidates in its lineage`,
    dataset === null
      ? "no dataset"
      : `dataset ${datasetText(dataset)}: ` +
        splits.map(([split, ids]) => `${ids.length} ${split}`).join(", "),
    "",
    ...(scores.length === 0
      ? ["not measured"]
      : scores.flatMap((score) => scoreText(score, label))),
    ...Object.keys(compiled.predictors).flatMap((name) => predictorText(name, compiled)),
    ...parameterText(compiled),
    ...(label.warning === "" ? [] : ["", label.warning]),
  ];
}

/** A trainset's name, and its version and licence where they are stated. */
export function datasetText({ name, version, licence }: DescribedDataset): string {
  return [name, version, licence && `(${licence})`].filter(Boolean).join(" ");
}

type DescribedDataset = Pick<Trainset, "name" | "version" | "licence">;

/** LMs of single predictors; an artifact compiled in code may name none. */
function lmsOf({ run }: Artifact): readonly (readonly [name: string, lm: LmIdentity])[] {
  const named = (run as { readonly lms?: Readonly<Record<string, LmIdentity>> } | null)?.lms;
  return Object.entries(named ?? {});
}

function scoreText(score: ArtifactScore, { suffix }: MockLabel): readonly string[] {
  const { metric, value, interval, split, counts, coverage, clusters, seed } = score;
  return [
    `${metric.name}  ${value === null ? "nothing was scored" : value.toFixed(4)}  ${intervalText(interval)}  on ${split}, seed ${seed}${suffix}`,
    `  ${counts.scored} examples scored${inClusters(clusters, counts.scored)}, ${counts.formatFailures} format failures, coverage ${(100 * coverage).toFixed(1)} % (the share with a score)`,
  ];
}

function predictorText(name: string, { predictors, components, samples }: Compiled): string[] {
  const predictor = predictors[name];
  if (predictor === undefined) return [];
  const { kind, signature, driver } = predictor;
  const lines = components.flatMap((component): string[] => {
    const [owner, field = ""] = component.path.split(".");
    if (component.kind === "parameter" || owner !== name) return [];
    switch (component.kind) {
      case "instruction":
        return component.value.split("\n").map((line) => `  | ${line}`);
      case "demos":
        return [...demonstrationsText(component.value.length, component.nearest)];
      case "toolDescription":
        return describedLines(`  tool  ${component.path.slice(name.length + 1)}`, component.value);
      case "fieldDescription": {
        const side = signature.fields.input.some((input) => input.name === field) ? "in " : "out";
        return describedLines(`  ${side}  ${field}`, component.value);
      }
    }
  });
  return [
    "",
    `${name} = ${kind}(${signature.name})  ${signature.hash.slice(0, 12)}, driver ${driver}`,
    ...lines,
    `  ${samples[name]?.length ?? 0} recorded inputs`,
  ];
}

/** A description of several lines stands below what it describes. */
function describedLines(head: string, description: string): string[] {
  if (description === "") return [head];
  const lines = description.split("\n");
  return lines.length === 1
    ? [`${head}: ${description}`]
    : [`${head}:`, ...lines.map((line) => `    | ${line}`)];
}

function parameterText({ components }: Compiled): string[] {
  const values = components.filter(({ kind }) => kind === "parameter");
  if (values.length === 0) return [];
  return [
    "",
    "parameters",
    ...values.map(({ path, value }) => `  ${path} = ${JSON.stringify(value)}`),
  ];
}
