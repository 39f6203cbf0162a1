import { pathToFileURL } from "node:url";
import type { Environment, Texts } from "./environment.ts";
import { below, drawsOf } from "./environment.ts";

/** What this bench uses of the joint yardstick's module, which is plain JavaScript. */
export interface JointYardstick {
  readonly Task: new (variant: string, seed: number) => JointTask;
  readonly StandIn: new (task: JointTask) => { reply(request: object): string };
  readonly DEFAULTS: JointParameters;
  /** How the parameters stand in an input. */
  readonly context: (parameters: object) => string;
  readonly seedInstruction: (step: number) => string;
  /** Adds and drops keywords of a step in a text. */
  readonly apply: (step: number, text: string, edits: readonly Edit[]) => string;
  /** Number of keywords of a step. */
  readonly KW: number;
}

interface JointParameters {
  readonly k: number;
  readonly w: number;
  readonly t: number;
  readonly mode: string;
}

export interface JointTask {
  /** Number of steps. */
  readonly P: number;
  readonly ex: Readonly<Record<string, { readonly question: string }>>;
  readonly split: Record<string, readonly string[]>;
  /** Expected score of a configuration on a split, in [0, 1]. */
  exact(
    configuration: {
      readonly steps: readonly {
        readonly words: ReadonlySet<number>;
        readonly demos: readonly JointDemonstration[];
      }[];
      readonly par: object;
    },
    split: string,
  ): number;
  score(id: string, answer: string): number;
  /** A directive, or nothing, for each step. */
  feedback(id: string, replies: readonly string[]): readonly string[];
  /** What stands disguised in a step's reply: its grade, a lack, and chance. */
  decode(
    id: string,
    step: number,
    reply: string,
  ): readonly [grade: number, lack: number, chance: number];
}

/** The example that it came from, how right its output is, and the output's chance. */
export type JointDemonstration = readonly [exampleId: string, grade: number, chance: number];

type Edit = readonly [operation: string, keyword: number];

export async function readJointYardstick(file: string): Promise<JointYardstick> {
  return (await import(pathToFileURL(file).href)) as JointYardstick;
}

/**
 * A task of the joint yardstick with its instructions alone: no demonstrations, parameters as they
 * are. The yardstick's own mock answers, from prompts; lessons are written as its proposer
 * writes them, at most `actsOn` of them at a time, of which one in four comes out wrong.
 */
export function jointEnvironment(
  { Task, StandIn: Mock, DEFAULTS, context, seedInstruction, apply, KW }: JointYardstick,
  variant: string,
  seed: number,
  actsOn: number,
): Environment {
  const task = new Task(variant, seed);
  const mock = new Mock(task);
  const steps = Array.from({ length: task.P }, (_, index) => index + 1);
  const { tr: train = [], va: val = [], te: test = [] } = task.split;
  const inTrain = new Set(train);
  const textOf = (texts: Texts, step: number): string => texts[`step${step}`] ?? "";
  const repliesTo = (texts: Texts, exampleId: string): readonly string[] => {
    const replies: string[] = [];
    for (const step of steps) {
      const before = replies.map((reply, index) => `step${index + 1}: ${reply}`);
      const given = [task.ex[exampleId]?.question, context(DEFAULTS), ...before].join("\n");
      const name = `step${step}`;
      const reply = mock.reply({
        temperature: 0,
        messages: [
          { role: "system", content: textOf(texts, step) },
          { role: "user", content: given },
        ],
        response_format: {
          type: "json_schema",
          json_schema: { schema: { properties: { [name]: { type: "string" } } } },
        },
      });
      replies.push((JSON.parse(reply) as Record<string, string>)[name] ?? "");
    }
    return replies;
  };
  return {
    name: `joint-${variant}`,
    task: seed,
    texts: Object.fromEntries(steps.map((step) => [`step${step}`, seedInstruction(step)])),
    train,
    val,
    test,
    ran: () => steps.map((step) => `step${step}`),
    trueScore: (texts, exampleId) => {
      task.split["one"] = [exampleId];
      const configured = steps.map((step) => ({
        words: keywordsIn(textOf(texts, step), step),
        demos: [],
      }));
      return task.exact({ steps: configured, par: DEFAULTS }, "one");
    },
    rolloutScore: (texts, exampleId) => {
      return task.score(exampleId, repliesTo(texts, exampleId).at(-1) ?? "");
    },
    feedback: (texts, exampleId, score) => {
      if (!inTrain.has(exampleId) || score >= 1) return {};
      const said = task.feedback(exampleId, repliesTo(texts, exampleId));
      return Object.fromEntries(
        said.flatMap((directive, index) =>
          directive === "" ? [] : [[`step${index + 1}`, directive]],
        ),
      );
    },
    rewrite: ({ component, text, feedback, run, call }) => {
      const draws = drawsOf(`joint:${variant}:${seed}:${run}:${call}`);
      const edits = mostFrequent(feedback.flatMap(directivesIn))
        .slice(0, actsOn)
        .map((edit): Edit => (draws() < 0.25 ? ["ADD", below(draws, KW)] : edit));
      return apply(Number(component.slice("step".length)), text, edits);
    },
  };
}

/** The keywords of a step that an instruction names. */
export function keywordsIn(text: string, step: number): ReadonlySet<number> {
  const found = text.matchAll(/\bkw_(\d)_(\d\d)\b/g);
  return new Set([...found].filter(([, of]) => Number(of) === step).map((one) => Number(one[2])));
}

function directivesIn(said: string): readonly Edit[] {
  return [...said.matchAll(/\b(ADD|DROP) kw_\d_(\d\d)\b/g)].map((one) => [
    one[1] ?? "",
    Number(one[2]),
  ]);
}

function mostFrequent(edits: readonly Edit[]): readonly Edit[] {
  const alike = [...Map.groupBy(edits, (edit) => edit.join(" ")).values()];
  return alike
    .toSorted((one, other) => other.length - one.length)
    .flatMap(([edit]) => (edit === undefined ? [] : [edit]));
}
