import { defineCommand } from "citty";
import type { JsonObject } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { AnyCommand } from "./arguments.ts";
import { refuseUnknown } from "./arguments.ts";
import { withCandidate } from "./candidate-file.ts";
import { studyData, studyText } from "./describe-study.ts";
import { evaluationSummary, readEvaluation } from "./evaluation-file.ts";
import { evaluationText } from "./evaluation-text.ts";
import { loadStudy } from "./load-study.ts";
import { readInput } from "./read-input.ts";

const args = {
  subject: {
    type: "positional",
    description: "A study, or a result written by `espalier eval --out`",
    valueHint: "STUDY|RESULT.json",
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
  candidate: {
    type: "string",
    description: "JSON file of components to put in place of the program's own",
    valueHint: "FILE",
  },
  json: { type: "boolean", description: "Print JSON for machines", default: false },
} as const;

/** `espalier show`: what a study declares, what a predictor would send, what an evaluation found. */
export const showSubcommand: AnyCommand = defineCommand({
  meta: { name: "show", description: "Show a study, one of its prompts, or a saved result" },
  args,
  run: async ({ args: given, rawArgs }) => {
    refuseUnknown(rawArgs, args);
    if (given.subject.endsWith(".json")) {
      const file = await readEvaluation(given.subject);
      console.log(given.json ? JSON.stringify(evaluationSummary(file)) : evaluationText(file));
      return;
    }
    const declared = await loadStudy(given.subject);
    const study = { ...declared, program: await withCandidate(declared.program, given.candidate) };
    if (given.predictor === undefined) {
      console.log(given.json ? JSON.stringify(studyData(study)) : studyText(study));
      return;
    }
    const messages = study.program.render(given.predictor, await inputsFrom(given.input));
    console.log(
      given.json
        ? JSON.stringify(messages)
        : messages.map(({ role, content }) => `===== ${role}\n${content}`).join("\n"),
    );
  },
});

async function inputsFrom(input: string | undefined): Promise<JsonObject> {
  if (input !== undefined) return (await readInput(input)) as JsonObject;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "--predictor needs the inputs to render",
    expected: "--input JSON, @FILE, or -",
  });
}
