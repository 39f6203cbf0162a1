import { z } from "zod";
import type { LanguageModel, Metric, Passage, TunableProgram } from "../../../src/index.ts";
import {
  FormatError,
  oneLine,
  predict,
  program,
  passages,
  signature,
  text,
} from "../../../src/index.ts";
import { blameOn, metric, notApplicable, scored } from "../../../src/metric/index.ts";
import type { Judge } from "./judge.ts";
import { judgeLm, runJudge } from "./judge.ts";

interface FaithfulnessCase {
  readonly question: string;
  readonly response: string;
  readonly passages: readonly Passage[];
}

interface JudgedStatement {
  readonly statement: string;
  readonly isSupported: boolean;
  /** Why, in the judge's words. */
  readonly reason: string;
}

interface FaithfulnessVerdict {
  /** Supported statements over judged ones, in [0, 1]; `null` if the response makes none. */
  readonly value: number | null;
  readonly statements: readonly JudgedStatement[];
}

const listStatements = signature({
  name: "list-statements",
  instruction: `List every statement of fact that the response makes, each as one sentence that can be checked alone.
- Name what a pronoun stands for, so that no sentence needs the one before it.
- Split a sentence that makes several claims.
- Leave out greetings, questions, offers, and what is said about the passages themselves.
A response that states nothing gives an empty list.`,
  input: {
    question: text("question", "What the response replies to."),
    response: text("response", "The response to take apart."),
  },
  output: {
    statements: z.array(z.string()).describe("The statements, in the order they are made."),
  },
});

const checkStatements = signature({
  name: "check-statements",
  instruction: `Check each numbered statement against the passages. A statement is supported when it follows from what the passages say, whatever the words; it is not when they contradict it, or leave it open. Use nothing that you know besides. Give one verdict for each number.`,
  input: {
    passages: passages("All that a statement may rest on."),
    statements: text("statements", "The statements, numbered from 1."),
  },
  output: {
    verdicts: z
      .array(
        z.object({
          number: z.number().int().describe("Number of the statement."),
          reason: z.string().describe("What the passages say of it, in one sentence."),
          isSupported: z.boolean().describe("Whether it follows from the passages."),
        }),
      )
      .describe("One for each statement."),
  },
});

/**
 * Splits a response into statements and checks each against the passages: the two steps of
 * faithfulness in RAGAS (Es et al. 2024), with our own prompts.
 */
const faithfulnessProgram: TunableProgram<
  FaithfulnessCase,
  { readonly statements: readonly JudgedStatement[] }
> = program({
  name: "faithfulness-judge",
  version: "1",
  input: {
    question: text("question"),
    response: text("response"),
    passages: passages(),
  },
  output: {
    statements: z.array(
      z.object({ statement: z.string(), isSupported: z.boolean(), reason: z.string() }),
    ),
  },
  predictors: {
    listStatements: predict(listStatements),
    checkStatements: predict(checkStatements),
  },
  forward: async ({ question, response, passages: shown }, { predictors }) => {
    if (response.trim() === "") return { statements: [] };
    const { statements } = await predictors.listStatements({ question, response });
    if (statements.length === 0) return { statements: [] };
    if (shown.length === 0) {
      const reason = "There is no passage.";
      return {
        statements: statements.map((statement) => ({ statement, isSupported: false, reason })),
      };
    }
    const { verdicts } = await predictors.checkStatements({
      passages: shown,
      // With a line break, part of a statement would look like the next one.
      statements: statements
        .map((statement, index) => `${index + 1}. ${oneLine(statement)}`)
        .join("\n"),
    });
    const byNumber = new Map(verdicts.map((verdict) => [verdict.number, verdict]));
    const checked = statements.flatMap((statement, index) => {
      const verdict = byNumber.get(index + 1);
      if (verdict === undefined) return [];
      return { statement, isSupported: verdict.isSupported, reason: verdict.reason };
    });
    if (checked.length === 0) throw noVerdict(statements.length, verdicts);
    return { statements: checked };
  },
});

/**
 * RL_F: the share of a response's statements that the passages support. A response without
 * statements has no such share: RAGAS returns NaN there, which its users' means skip. A statement
 * without a verdict is skipped, as in RAGAS; a reply without any verdict is a format failure, not a
 * 0.
 */
export const judgeFaithfulness: Judge<FaithfulnessCase, FaithfulnessVerdict> = async (
  given,
  run,
) => {
  const { statements } = await runJudge(faithfulnessProgram, given, run);
  const supported = statements.filter(({ isSupported }) => isSupported).length;
  return { value: statements.length === 0 ? null : supported / statements.length, statements };
};

function noVerdict(count: number, verdicts: readonly { readonly number: number }[]): FormatError {
  return new FormatError({
    code: "output-invalid",
    problem: "The faithfulness judge gave no verdict on any statement",
    expected: `verdicts with numbers from 1 to ${count}`,
    got: verdicts.length === 0 ? "none" : `numbers ${verdicts.map((one) => one.number).join(", ")}`,
    rawText: JSON.stringify({ verdicts }),
  });
}

/**
 * Metric `rl_f`: the share of a response's statements that its passages support, in two judge
 * calls: split into statements, check each. Does not apply to a response without statements.
 */
export function faithfulness<
  const TQuestion extends string,
  const TAnswer extends string,
  const TPassages extends string,
>({
  question,
  answer,
  passages,
  lm,
  answering,
}: {
  /** Input field that holds the question. */
  readonly question: TQuestion;
  /** Output field that holds the response. */
  readonly answer: TAnswer;
  /** Output field with the passages on which the response is based. */
  readonly passages: TPassages;
  /** The judge's LM. @default the run's */
  readonly lm?: LanguageModel;
  /** Names of the predictors that write the response, for blame. @default none */
  readonly answering?: readonly string[];
}): Metric<
  { readonly [K in TQuestion]: string },
  { readonly [K in TAnswer]: string } & { readonly [K in TPassages]: readonly Passage[] },
  unknown
> {
  const name = "rl_f";
  return metric({
    name,
    version: "1",
    score: async ({ example, output, trace, signal, lm: ofRun }) => {
      const given = {
        question: example.input[question],
        response: output[answer] as string,
        passages: output[passages] as readonly Passage[],
      };
      const { value, statements } = await judgeFaithfulness(given, {
        lm: judgeLm(lm, ofRun, name),
        exampleId: example.id,
        ...(signal && { signal }),
      });
      if (value === null) return notApplicable("The response makes no statement.");
      const unsupported = statements.filter(({ isSupported }) => !isSupported);
      const text = [
        `${statements.length - unsupported.length} of ${statements.length} statements are supported by the passages.`,
        ...unsupported.map(({ statement, reason }) => `Not supported: ${statement} (${reason})`),
      ].join("\n");
      return scored(value, text, blameOn(trace, answering, { score: value, text }));
    },
  });
}
