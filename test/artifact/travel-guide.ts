import type {
  Candidate,
  LanguageModel,
  LmIdentity,
  Parameters,
  Predictors,
  PredictorOptions,
  TunableProgram,
} from "espalier";
import { choice, int, passages, predict, program, reason, signature, text } from "espalier";
import type { Artifact, CompileArtifactOptions } from "espalier/artifact";
import { artifactScore, compileArtifact, recordedInputs } from "espalier/artifact";
import { evaluate } from "espalier/evaluate";
import { tokenF1 } from "espalier/metric";
import { rehearsalLm } from "@espalier/rehearsal";
import { trainset } from "espalier/trainset";
import { z } from "zod";
import { townQuestions } from "../support/town-questions.ts";

/** What a test changes in the program below; what it leaves out is as it was compiled. */
export interface Changes {
  readonly name?: string;
  readonly version?: string;
  readonly instruction?: string;
  readonly question?: z.ZodType;
  readonly labels?: z.ZodType;
  readonly extraInput?: boolean;
  readonly isReversed?: boolean;
  readonly judgeSignature?: string;
  readonly judgeOptions?: PredictorOptions;
  readonly isReasoning?: boolean;
  readonly predictors?: (declared: Predictors) => Predictors;
  readonly parameters?: Parameters;
}

const question = text("question", "What is asked.");

/** A program of two steps and two parameters, with an object among its inputs. */
export function travelGuide(changes: Changes = {}): TunableProgram {
  const asked = {
    question: changes.question ?? question,
    passages: passages(),
    traveller: z.object({ name: z.string(), age: z.int() }).optional().describe("Who asks."),
    ...(changes.extraInput === true ? { hint: text("hint", "A hint.").optional() } : {}),
  };
  const reversed = Object.fromEntries(Object.entries(asked).toReversed());
  const input = changes.isReversed === true ? reversed : asked;
  const label = changes.labels ?? z.enum(["answerable", "unanswerable"]);
  const judge = signature({
    name: changes.judgeSignature ?? "judge-evidence",
    instruction:
      changes.instruction ?? "Decide whether the passages hold the answer to the question.",
    input,
    output: { label: label.describe("What they allow.") },
  });
  const answer = signature({
    name: "answer",
    instruction: "Answer with the one sentence of the passages that answers the question.",
    input: { question, passages: passages() },
    output: { answer: text("answer", "That sentence, word for word.") },
  });
  const declared: Predictors = {
    judge: (changes.isReasoning === true ? reason : predict)(judge, changes.judgeOptions),
    answer: reason(answer),
  };
  const made = program<any, any, any, any>({
    name: changes.name ?? "travel-guide",
    version: changes.version ?? "1",
    input: { question, passages: passages() },
    output: { answer: text("answer") },
    predictors: changes.predictors?.(declared) ?? declared,
    parameters: changes.parameters ?? {
      hops: int({ default: 1, min: 1, max: 5 }),
      tone: choice(["plain", "formal"]),
    },
    forward: async (given: any, { predictors }: any) => {
      // Keys of the object stand in this order in the prompt, and must after loading.
      const traveller = { name: "Ada", age: 36 };
      const { label } = await predictors.judge({ ...given, traveller });
      return label === "answerable" ? predictors.answer(given) : { answer: "I do not know." };
    },
  });
  return made;
}

/** Texts, a demonstration and a parameter in place of the program's own. */
export const candidate: Candidate = [
  {
    kind: "instruction",
    path: "answer",
    value: 'Copy the sentence that answers.\n"Word for word."',
  },
  { kind: "fieldDescription", path: "judge.label", value: "Whether they do." },
  { kind: "parameter", path: "hops", value: 3 },
  {
    kind: "demos",
    path: "judge",
    value: [
      {
        exampleId: "q50",
        inputs: { question: "How long is the pier?", traveller: { name: "Bo", age: 7 } },
        outputs: { label: "unanswerable" },
      },
    ],
  },
];

export const questions = townQuestions(20);
const towns = trainset({
  name: "towns",
  version: "1",
  licence: "CC0-1.0",
  source: "generated for tests",
  splits: { val: questions },
});

/** Evaluates the program with the candidate and compiles it, as a caller of the library would. */
export async function compileGuide({
  lm = rehearsalLm(),
  identity = lm.identity,
  concurrency = 16,
  ...rest
}: {
  readonly lm?: LanguageModel;
  /** What the artifact says it was made with. */
  readonly identity?: LmIdentity;
  readonly concurrency?: number;
} & Partial<Omit<CompileArtifactOptions, "lm">> = {}): Promise<Artifact> {
  const program = travelGuide();
  const metric = tokenF1({ answer: "answer", golds: "answers" });
  const evaluation = await evaluate({
    program: program.with(candidate),
    examples: questions,
    metric,
    lm,
    concurrency,
  } as any);
  return compileArtifact({
    program,
    candidate,
    lm: identity,
    metric,
    dataset: { trainset: towns, splits: { val: questions.map(({ id }) => id) } },
    scores: [artifactScore(evaluation, "val")],
    samples: recordedInputs(evaluation.rows.map(({ trace }) => trace)),
    ...rest,
  });
}
