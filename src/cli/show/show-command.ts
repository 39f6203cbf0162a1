import { stat } from "node:fs/promises";
import { EspalierError } from "../../errors/index.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import {
  artifactProgramArguments,
  jsonArgument,
  trainsetArgument,
} from "../arguments/arguments.ts";
import { command } from "../arguments/command.ts";
import { print } from "../terminal/terminal.ts";
import { fileFormat } from "../load/file-format.ts";

/**
 * `espalier show`: shows what a study declares, what an artifact contains, what a predictor would
 * send, or what an evaluation or a run found. Each branch imports only what it needs, since they
 * share little.
 */
export const showSubcommand: AnyCommand = command({
  args: {
    subject: {
      type: "positional",
      description:
        "A study, a program, a run's folder, or a file written by `espalier eval` with --artifact or --out",
      valueHint: "STUDY|PROGRAM|RUN|ARTIFACT.json|RESULT.json",
      required: true,
    },
    trainset: trainsetArgument,
    predictor: {
      type: "string",
      description: "Print this predictor's exact prompt for --input, without calling the LM",
      valueHint: "NAME",
    },
    input: {
      type: "string",
      description: "The predictor's inputs: JSON, @FILE, or - for standard input",
      valueHint: "JSON",
    },
    ...artifactProgramArguments,
    candidate: {
      type: "string",
      description:
        "Artifact or components file (JSON) to use instead of the program's own components; for a run, a candidate's number",
      valueHint: "FILE|N",
    },
    choose: {
      type: "string",
      description: 'For a run: the candidate to show, such as "quality>=0.6,fewest promptTokens"',
      valueHint: "CHOICE",
    },
    html: {
      type: "string",
      description: "For a run: write it as one page, as `espalier compare --html` does",
      valueHint: "FILE",
    },
    ...jsonArgument,
  },
  run: async (given) => {
    const { subject, json } = given;
    if (await isFolder(subject)) {
      rejectUnused(given, "a run", ["candidate", "choose", "html", "predictor"]);
      const { showRun } = await import("./show-run.ts");
      await showRun(subject, given);
    } else if (given.predictor !== undefined) {
      rejectUnused(given, "a prompt", ["predictor", "input", "study", "trainset", "candidate"]);
      const { showPrompt } = await import("./show-prompt.ts");
      await showPrompt(subject, { ...given, predictor: given.predictor });
    } else if (!subject.endsWith(".json")) {
      rejectUnused(given, "a study", ["trainset", "candidate"]);
      await showStudy(subject, given);
    } else if ((await fileFormat(subject)) === "artifact") {
      rejectUnused(given, "an artifact", []);
      await showArtifact(subject, json);
    } else {
      rejectUnused(given, "a result", []);
      await showResult(subject, json);
    }
  },
});

/** Prints what a study or a program declares, with the candidate's components if one is given. */
async function showStudy(
  path: string,
  {
    trainset,
    candidate,
    json,
  }: {
    readonly trainset?: string | undefined;
    readonly candidate?: string | undefined;
    readonly json: boolean;
  },
): Promise<void> {
  const { chooseDeclared } = await import("../load/choose-study.ts");
  const { withCandidate } = await import("../load/candidate-file.ts");
  const { unaskedParts } = await import("../lm/unasked-parts.ts");
  const { studyData, studyText } = await import("./describe-study.ts");
  const declared = await chooseDeclared(path, { trainset, parts: await unaskedParts() });
  const study = { ...declared, program: await withCandidate(declared.program, candidate) };
  print(json ? JSON.stringify(studyData(study)) : studyText(study));
}

async function showArtifact(path: string, json: boolean): Promise<void> {
  const { readArtifact } = await import("../../artifact/files.ts");
  const { artifactText } = await import("../artifact/artifact-text.ts");
  const artifact = await readArtifact(path);
  print(json ? JSON.stringify(artifact) : artifactText(artifact));
}

async function showResult(path: string, json: boolean): Promise<void> {
  const { evaluationSummary, readEvaluation } = await import("../eval/evaluation-file.ts");
  const { evaluationText } = await import("../eval/evaluation-text.ts");
  const file = await readEvaluation(path);
  print(json ? JSON.stringify(evaluationSummary(file)) : evaluationText(file));
}

/** Returns false if the path does not exist. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() === true;
}

const choosing = [
  "predictor",
  "input",
  "study",
  "trainset",
  "candidate",
  "choose",
  "html",
] as const;

type Choosing = (typeof choosing)[number];

/** Rejects options that have no effect: users would not notice a silently ignored one. */
function rejectUnused(
  given: { readonly [Option in Choosing]?: string | undefined },
  shown: string,
  used: readonly Choosing[],
): void {
  const unused = choosing.filter((name) => given[name] !== undefined && !used.includes(name));
  if (unused.length === 0) return;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `${unused.map((name) => `--${name}`).join(", ")} cannot be combined with ${shown}`,
    expected: used.length === 0 ? "only --json" : used.map((name) => `--${name}`).join(", "),
    fix: "--choose and --html require a run's folder; --input and --study require --predictor",
  });
}
