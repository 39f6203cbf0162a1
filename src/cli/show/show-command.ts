import { stat } from "node:fs/promises";
import { defineCommand } from "citty";
import { EspalierError } from "../../errors/index.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { print } from "../terminal/terminal.ts";
import { fileFormat } from "./file-format.ts";

const args = {
  subject: {
    type: "positional",
    description:
      "A study, the folder of a run, or a file written by `espalier eval` with --artifact or --out",
    valueHint: "STUDY|RUN|ARTIFACT.json|RESULT.json",
    required: true,
  },
  predictor: {
    type: "string",
    description: "Print the exact prompt of this predictor for --input, without a call",
    valueHint: "NAME",
  },
  input: {
    type: "string",
    description: "Inputs of the predictor: JSON, @FILE, or - for standard input",
    valueHint: "JSON",
  },
  study: {
    type: "string",
    description: "Where an artifact's program is, if not where the artifact says",
    valueHint: "STUDY",
  },
  "trust-module": {
    type: "boolean",
    description:
      "Also load a program that the artifact names outside of its project or in a package",
    default: false,
  },
  candidate: {
    type: "string",
    description:
      "JSON file of components to put in place of the program's own; of a run, the number of one of its candidates",
    valueHint: "FILE|N",
  },
  choose: {
    type: "string",
    description: 'Of a run: show the candidate that is so, "quality>=0.6,fewest promptTokens"',
    valueHint: "CHOICE",
  },
  html: {
    type: "string",
    description: "Of a run: write one page with its tree, its curve and its texts",
    valueHint: "FILE",
  },
  json: { type: "boolean", description: "Print JSON for machines", default: false },
} as const;

/**
 * `espalier show`: what a study declares, what was compiled, what a predictor would send, what an
 * evaluation or a run found. Each branch imports only what it needs: they share little.
 */
export const showSubcommand: AnyCommand = defineCommand({
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    const { subject, json } = given;
    if (await isFolder(subject)) {
      refuseUnused(given, "a run", ["candidate", "choose", "html", "predictor"]);
      const { showRun } = await import("./show-run.ts");
      await showRun(subject, given);
    } else if (given.predictor !== undefined) {
      refuseUnused(given, "a prompt", ["predictor", "input", "study", "candidate"]);
      const { showPrompt } = await import("./show-prompt.ts");
      await showPrompt(subject, { ...given, predictor: given.predictor });
    } else if (!subject.endsWith(".json")) {
      refuseUnused(given, "a study", ["candidate"]);
      await showStudy(subject, given);
    } else if ((await fileFormat(subject)) === "artifact") {
      refuseUnused(given, "an artifact", []);
      await showArtifact(subject, json);
    } else {
      refuseUnused(given, "a result", []);
      await showResult(subject, json);
    }
  },
});

/** Prints what a study declares, with a candidate's components where one is named. */
async function showStudy(
  path: string,
  { candidate, json }: { readonly candidate?: string | undefined; readonly json: boolean },
): Promise<void> {
  const { loadStudy } = await import("../load/load-study.ts");
  const { withCandidate } = await import("../load/candidate-file.ts");
  const { studyData, studyText } = await import("./describe-study.ts");
  const declared = await loadStudy(path);
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

/** False also for what does not exist. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() === true;
}

const choosing = ["predictor", "input", "study", "candidate", "choose", "html"] as const;

type Choosing = (typeof choosing)[number];

/** Nobody notices an option that is silently ignored, so each is refused where it has no effect. */
function refuseUnused(
  given: { readonly [Option in Choosing]?: string | undefined },
  shown: string,
  used: readonly Choosing[],
): void {
  const unused = choosing.filter((name) => given[name] !== undefined && !used.includes(name));
  if (unused.length === 0) return;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `${unused.map((name) => `--${name}`).join(", ")} cannot be combined with ${shown}`,
    expected: used.length === 0 ? "none but --json" : used.map((name) => `--${name}`).join(", "),
    fix: "--choose and --html are for the folder of a run; --input and --study go with --predictor",
  });
}
