import { readFileSync } from "node:fs";
import type { Example, Study } from "espalier";
import { predict, program, signature, study, text } from "espalier";
import { scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import { z } from "zod";
import { randomSource } from "../../../src/internal/index.ts";
import { sharedData } from "../../support/shared-data.ts";

/** What a step writes, in words that programs of any framework can be built from. */
export interface DeclaredOutput {
  readonly description: string;
  /** One of them, or some. */
  readonly labels: readonly string[];
  readonly isList?: true;
}

/** A task of one step, declared as a user would who has not tuned anything. */
export interface DeclaredTask {
  readonly instruction: string;
  readonly input: { readonly name: string; readonly description: string };
  readonly outputs: Readonly<Record<string, DeclaredOutput>>;
}

export interface RealTask extends DeclaredTask {
  /** As its folder in `../shared/data/real`. */
  readonly name: string;
}

export type RealRow = Example<Record<string, string>, Record<string, string | readonly string[]>>;

/** Rows of one seed. `test` is the same in each; `further` was neither searched nor claimed on. */
export interface Deal {
  readonly train: readonly RealRow[];
  readonly val: readonly RealRow[];
  readonly test: readonly RealRow[];
  readonly further: readonly RealRow[];
}

const question = { name: "question", description: "The question." };
const letters = ["(A)", "(B)", "(C)", "(D)", "(E)", "(F)"];

export const tasks: readonly RealTask[] = [
  {
    name: "trec6",
    instruction: "Say what kind of answer the question asks for.",
    input: question,
    outputs: {
      label: {
        description: "The kind of answer.",
        labels: ["abbreviation", "description", "entity", "human", "location", "number"],
      },
    },
  },
  {
    name: "sst2",
    instruction: "Say what the reviewer thinks of the film.",
    input: { name: "review", description: "A sentence of a review." },
    outputs: {
      label: { description: "The sentiment of the review.", labels: ["negative", "positive"] },
    },
  },
  {
    name: "banking20",
    instruction: "Find out what the customer of the bank wants.",
    input: { name: "message", description: "What the customer writes." },
    outputs: {
      label: {
        description: "The customer's intent.",
        labels: [
          "apple_pay_or_google_pay",
          "beneficiary_not_allowed",
          "card_about_to_expire",
          "card_acceptance",
          "card_arrival",
          "card_not_working",
          "cash_withdrawal_not_recognised",
          "contactless_not_working",
          "declined_cash_withdrawal",
          "exchange_rate",
          "extra_charge_on_statement",
          "fiat_currency_support",
          "get_physical_card",
          "terminate_account",
          "top_up_by_cash_or_cheque",
          "topping_up_by_card",
          "unable_to_verify_identity",
          "verify_my_identity",
          "verify_source_of_funds",
          "wrong_amount_of_cash_received",
        ],
      },
    },
  },
  {
    name: "facility",
    instruction: "Read the e-mail to the support of a facility management company.",
    input: { name: "message", description: "The e-mail." },
    outputs: {
      urgency: { description: "How urgent it is.", labels: ["low", "medium", "high"] },
      sentiment: {
        description: "The writer's sentiment.",
        labels: ["negative", "neutral", "positive"],
      },
      categories: {
        description: "What it is about.",
        isList: true,
        labels: [
          "cleaning_services_scheduling",
          "customer_feedback_and_complaints",
          "emergency_repair_services",
          "facility_management_issues",
          "general_inquiries",
          "quality_and_safety_concerns",
          "routine_maintenance_requests",
          "specialized_cleaning_services",
          "sustainability_and_environmental_practices",
          "training_and_support_requests",
        ],
      },
    },
  },
  {
    name: "bbh-navigate",
    instruction: "Answer the question.",
    input: question,
    outputs: { answer: { description: "The answer.", labels: ["Yes", "No"] } },
  },
  {
    name: "bbh-date-understanding",
    instruction: "Answer the question.",
    input: question,
    outputs: { answer: { description: "The right option.", labels: letters } },
  },
];

const sizes = { train: 60, val: 60, test: 200, further: 200 };

/** Deals a task's rows: train and val by the seed, test as its file begins. */
export function deal({ name }: RealTask, seed: number): Deal {
  const rows = (split: string): readonly RealRow[] =>
    readFileSync(sharedData(`real/${name}/${split}.jsonl`).file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as RealRow);
  const drawn = randomSource(seed, `bench/real/${name}`);
  const pool = drawn.shuffle([...rows("train"), ...rows("val")]);
  const held = rows("test");
  const dealt = sizes.train + sizes.val;
  return {
    train: pool.slice(0, sizes.train),
    val: pool.slice(sizes.train, dealt),
    test: held.slice(0, sizes.test),
    further: [...held.slice(sizes.test), ...pool.slice(dealt)].slice(0, sizes.further),
  };
}

/** The task with rows of one deal, as a user would declare it. */
export function studyOf(task: RealTask, { train, val, test }: Omit<Deal, "further">): Study {
  const { name, instruction, input, outputs } = task;
  const answer = signature({
    name: "answer",
    instruction,
    input: { [input.name]: text(input.name, input.description) },
    output: Object.fromEntries(
      Object.entries(outputs).map(([output, { description, labels, isList }]) => {
        const label = z.enum(labels as [string, ...string[]]);
        const many = z.array(label).max(labels.length);
        return [output, (isList ? many : label).describe(description)];
      }),
    ),
  });
  return study({
    name,
    program: program({
      name,
      version: "1",
      input: answer.input,
      output: answer.output,
      predictors: { answer: predict(answer) },
      forward: (given, { predictors }) => predictors.answer(given),
    }),
    trainset: trainset({
      name,
      version: "1",
      licence: "see ../shared/data/real/README.md",
      source: "../shared/data/real",
      splits: { train, val, test },
    }),
    objective: {
      name: "share-right",
      version: "1",
      score: ({ output, example }) => {
        const { value, feedback } = judged(task, output, example.labels);
        return scored(value, feedback);
      },
    },
  });
}

type Answers = Readonly<Record<string, unknown>>;

/**
 * The mean over outputs of what is right: an output of one label is right or wrong, one of some is
 * worth the share of all labels on which it agrees (as in DSPy's tutorial of GEPA on `facility`).
 * `dspy_search.py` scores alike.
 */
function judged(
  { outputs }: DeclaredTask,
  given: Answers,
  labels: Answers,
): { readonly value: number; readonly feedback: string } {
  const names = Object.keys(outputs);
  const worth = names.map((name) => {
    const { labels: all = [], isList } = outputs[name] ?? {};
    const [said, due] = [given[name], labels[name]];
    if (isList !== true) return said === due ? 1 : 0;
    const has = (list: unknown, label: string) => Array.isArray(list) && list.includes(label);
    return all.filter((label) => has(said, label) === has(due, label)).length / all.length;
  });
  const wrong = names.filter((_, index) => worth[index] !== 1);
  const feedback =
    wrong.length === 0
      ? "Right."
      : wrong.map((name) => `\`${name}\` should be ${JSON.stringify(labels[name])}.`).join(" ");
  return { value: worth.reduce((sum, one) => sum + one, 0) / names.length, feedback };
}
