import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { trainsetArgument, wholeNumber } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { print } from "../terminal/terminal.ts";

const args = {
  source: {
    type: "positional",
    description: "Folders of runs, files of `espalier eval --out`, and artifacts",
    valueHint: "RUN|RESULT.json|ARTIFACT.json...",
    required: true,
  },
  study: {
    type: "string",
    description: "The study of the runs: adds inputs, labels, and differences by label",
    valueHint: "STUDY",
  },
  trainset: trainsetArgument,
  resamples: {
    type: "string",
    description: "Resamples for intervals and tests",
    valueHint: "N",
    default: "10000",
  },
  json: { type: "boolean", description: "Print one line of JSON", default: false },
} as const;

/** `espalier compare`: several runs, results and artifacts beside each other. Asks no LM. */
export const compareSubcommand: AnyCommand = defineCommand({
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args, { takesMany: true });
    const resamples = wholeNumber("resamples", given.resamples, 0);
    const { compareRuns } = await import("../../report/index.ts");
    const { readSource } = await import("./read-source.ts");
    const { comparisonText } = await import("./comparison-text.ts");
    const sources = [];
    for (const path of given._) sources.push(await readSource(path));
    const trainset = given.study === undefined ? undefined : await trainsetOf(given.study, given);
    const comparison = compareRuns(sources, { resamples, ...(trainset && { trainset }) });
    print(given.json ? JSON.stringify(comparison) : comparisonText(comparison));
  },
});

/** Loaded only on request: a study is code. */
async function trainsetOf(
  path: string,
  { trainset }: { readonly trainset?: string | undefined },
): Promise<import("../../contract/index.ts").Trainset> {
  const { chooseStudy } = await import("../load/choose-study.ts");
  const { unaskedParts } = await import("../lm/unasked-parts.ts");
  return (await chooseStudy(path, { trainset, parts: await unaskedParts() })).trainset;
}
