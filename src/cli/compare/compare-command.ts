import { EspalierError } from "../../errors/index.ts";
import type { Study } from "../../study/index.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import { jsonArgument, trainsetArgument, wholeNumber } from "../arguments/arguments.ts";
import { command } from "../arguments/command.ts";
import { checkWritable } from "../arguments/check-writable.ts";
import { print } from "../terminal/terminal.ts";
import { writePage } from "./write-page.ts";
import type { ReplayedRollout, RunComparison, SourceGiven } from "../../report/index.ts";

/** `espalier compare`: several runs, results and artifacts beside each other. Asks no LM. */
export const compareSubcommand: AnyCommand = command({
  args: {
    source: {
      type: "positional",
      description: "Folders of runs, files written by `espalier eval --out`, and artifacts",
      valueHint: "RUN|RESULT.json|ARTIFACT.json...",
      required: true,
    },
    study: {
      type: "string",
      description: "The study of the runs: adds inputs, labels, and differences by label",
      valueHint: "STUDY",
    },
    trainset: trainsetArgument,
    replay: {
      type: "string",
      description:
        "With --json or --html: add outputs, feedback and traces of N examples whose score changed; runs are replayed from recorded replies, which requires --study",
      valueHint: "N",
      default: "0",
    },
    html: {
      type: "string",
      description: "Write the comparison as one self-contained page",
      valueHint: "FILE",
    },
    ...jsonArgument,
  },
  takesMany: true,
  run: async (given) => {
    const replay = wholeNumber("replay", given.replay, 0);
    if (given.html !== undefined) await checkWritable("html", given.html);
    const { compareRuns } = await import("../../report/index.ts");
    const { readSource } = await import("./read-source.ts");
    const { comparisonText } = await import("./comparison-text.ts");
    const sources = [];
    for (const path of given._) sources.push(await readSource(path));
    const hasRuns = sources.some(({ kind }) => kind === "run");
    if (replay > 0 && hasRuns && given.study === undefined) throw replayNeedsStudy();
    const study = given.study === undefined ? undefined : await studyOf(given.study, given);
    const options = study ? { trainset: study.trainset } : {};
    const bare = compareRuns(sources, options);
    const comparison = {
      ...bare,
      rollouts: await replayedFlips(study, sources, bare, replay),
    };
    if (given.html !== undefined) await writePage(given.html, comparison);
    print(given.json ? JSON.stringify(comparison) : comparisonText(comparison));
  },
});

/** Loaded only on request: a study is code. */
async function studyOf(
  path: string,
  { trainset }: { readonly trainset?: string | undefined },
): Promise<Study> {
  const { chooseStudy } = await import("../load/choose-study.ts");
  const { unaskedParts } = await import("../lm/unasked-parts.ts");
  return chooseStudy(path, { trainset, parts: await unaskedParts() });
}

function replayNeedsStudy(): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem: "--replay of runs requires --study, to run its program and metric again",
    expected: "--study STUDY",
  });
}

/**
 * Both sides of the flips that changed most: those of runs replayed from recorded replies, those of
 * results as they were.
 *
 * @param study of the runs; not needed where there are none
 */
async function replayedFlips(
  study: Study | undefined,
  sources: readonly SourceGiven[],
  comparison: RunComparison,
  most: number,
): Promise<readonly ReplayedRollout[]> {
  const { flipsOf, mainContrast, replayRollouts, resultRollouts } =
    await import("../../report/index.ts");
  const contrast = mainContrast(comparison);
  if (contrast === undefined || most === 0) return [];
  const flipped = flipsOf(comparison, contrast).slice(0, most);
  if (flipped.length === 0) return [];
  const places = new Map(
    flipped.map(({ example }) => [comparison.examples[example]?.id ?? "", example]),
  );
  const rollouts: ReplayedRollout[] = [];
  for (const { source, candidate } of [...contrast.baseline.members, ...contrast.other.members]) {
    const given = sources[comparison.sources.findIndex(({ key }) => key === source)];
    const asked = {
      source,
      exampleIds: [...places.keys()],
      placeOf: (id: string) => places.get(id) ?? 0,
    };
    if (given?.kind === "result") {
      rollouts.push(...resultRollouts(given.result.evaluation, asked));
    }
    if (given?.kind !== "run" || study === undefined) continue;
    const { path: folder, history } = given;
    const { split } = contrast;
    rollouts.push(
      ...(await replayRollouts(study, { ...asked, folder, history, candidate, split })),
    );
  }
  return rollouts;
}
