import type { Component, Demonstration, Study } from "espalier";
import { choice, int, predict, program, real, signature, study, text } from "espalier";
import { trainset } from "espalier/trainset";
import { z } from "zod";
import type {
  JointDemonstration,
  JointTask,
  JointYardstick,
} from "../environments/joint-environment.ts";
import { keywordsIn } from "../environments/joint-environment.ts";

/** A task of the joint yardstick with all its levers, as a study that a user could declare. */
export interface LeverTask {
  readonly variant: string;
  readonly seed: number;
  /** Number of steps; a step is one call of the student. */
  readonly steps: number;
  readonly study: Study;
  /** What a program is truly worth on a split, in closed form, in [0, 1]. */
  readonly worth: (components: readonly Component[], split: "val" | "test") => number;
}

export function leverTask(yardstick: JointYardstick, variant: string, seed: number): LeverTask {
  const task = new yardstick.Task(variant, seed);
  const names = Array.from({ length: task.P }, (_, index) => `step${index + 1}`);
  return {
    variant,
    seed,
    steps: task.P,
    study: studyOf(yardstick, task, { names, name: `joint-${variant}-${seed}` }),
    worth: (components, split) =>
      task.exact(configurationOf(components, { yardstick, task, names }), split.slice(0, 2)),
  };
}

function studyOf(
  { DEFAULTS, context, seedInstruction }: JointYardstick,
  task: JointTask,
  { names, name }: { readonly names: readonly string[]; readonly name: string },
): Study {
  const question = text("question", "What is asked.");
  const setting = z.string().describe("How it was looked up.");
  const predictors = Object.fromEntries(
    names.map((step, index) => {
      const before = names.slice(Math.max(0, index - 1), index);
      const given = Object.fromEntries(before.map((one) => [one, z.string()]));
      const declared = signature({
        name: step,
        instruction: seedInstruction(index + 1),
        input: { question, context: setting, ...given },
        output: { [step]: z.string() },
      });
      return [step, predict(declared)] as const;
    }),
  );
  const { tr: train = [], va: val = [], te: test = [] } = task.split;
  const rows = (ids: readonly string[]) =>
    ids.map((id) => ({ id, input: { question: task.ex[id]?.question ?? "" }, labels: {} }));
  return study({
    name: "joint",
    program: program({
      name: "joint",
      version: "1",
      input: { question },
      output: Object.fromEntries(names.map((step) => [step, z.string()])),
      predictors,
      parameters: {
        k: int({ default: DEFAULTS.k, min: 1, max: 20 }),
        w: real({ default: DEFAULTS.w, min: 0, max: 1 }),
        t: real({ default: DEFAULTS.t, min: 0, max: 1 }),
        mode: choice(["a", "b", "c"]),
      },
      forward: async (given, call) => {
        const replies: Record<string, string> = {};
        const shown = { question: given.question, context: context(call.parameters) };
        for (const [index, step] of names.entries()) {
          const before = names[index - 1];
          const said = before === undefined ? {} : { [before]: replies[before] ?? "" };
          const reply = await call.predictors[step]?.({ ...shown, ...said });
          replies[step] = String(reply?.[step]);
        }
        return replies;
      },
    }),
    trainset: trainset({
      name,
      version: "1",
      licence: "CC0-1.0",
      source: "generated",
      splits: { train: rows(train), val: rows(val), test: rows(test) },
    }),
    objective: {
      name: "joint",
      version: "1",
      doScore: ({ example, output }) => {
        const replies = names.map((step) => String(output[step]));
        const said = task.feedback(example.id, replies);
        const blame = said.flatMap((directive, index) =>
          directive === "" ? [] : [{ path: `step${index + 1}`, text: directive }],
        );
        return { kind: "scored", value: task.score(example.id, replies.at(-1) ?? ""), blame };
      },
      scoreFormatFailure: () => ({ kind: "scored", value: 0 }),
    },
  });
}

type Configuration = Parameters<JointTask["exact"]>[0];

function configurationOf(
  components: readonly Component[],
  {
    yardstick,
    task,
    names,
  }: {
    readonly yardstick: JointYardstick;
    readonly task: JointTask;
    readonly names: readonly string[];
  },
): Configuration {
  const par: Record<string, unknown> = { ...yardstick.DEFAULTS };
  const steps = names.map((_, index) => ({
    words: keywordsIn(yardstick.seedInstruction(index + 1), index + 1),
    demos: [] as readonly JointDemonstration[],
  }));
  for (const component of components) {
    if (component.kind === "parameter") par[component.path] = component.value;
    const index = names.indexOf(component.path);
    const step = steps[index];
    if (step === undefined) continue;
    if (component.kind === "instruction") step.words = keywordsIn(component.value, index + 1);
    if (component.kind === "demos") {
      step.demos = component.value.flatMap((one) => shownBy(one, task, index + 1));
    }
  }
  return { steps, par };
}

/** Nothing for an output that is no reply of the mock. */
function shownBy(
  { outputs }: Demonstration,
  task: JointTask,
  step: number,
): readonly JointDemonstration[] {
  const output = outputs[`step${step}`];
  if (typeof output !== "string") return [];
  const [, exampleId, , reply] = /(\w+)\.(\d)-([0-9a-f]{4})/.exec(output) ?? [];
  if (exampleId === undefined || reply === undefined) return [];
  const [grade, , chance] = task.decode(exampleId, step, reply);
  return [[exampleId, grade, chance]];
}
