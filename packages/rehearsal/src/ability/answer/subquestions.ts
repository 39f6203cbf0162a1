import type { Demonstration } from "../../reading/index.ts";
import { textsIn } from "../../reading/index.ts";
import type { Behaviour, Steering } from "../../steering/index.ts";
import type { TextReader } from "../../text/index.ts";
import { similarity } from "../../text/index.ts";
import type { Material } from "../material/material.ts";
import { solvedState } from "../question/next-question.ts";
import { splitAsks } from "../question/split-asks.ts";
import { withSubject } from "../question/with-subject.ts";

interface Given {
  readonly material: Material;
  readonly steering: Steering;
  readonly reader: TextReader;
}

/** Splits a question into the things that it asks for. */
export const splitAsksApart: Behaviour = {
  name: "split-asks-apart",
  cues: [
    { all: ["split"], weight: 0.7 },
    { all: ["onefact", "query"], weight: 0.3 },
  ],
  shownBy: ({ outputs }) =>
    Object.values(outputs).some((value) => Array.isArray(value) && value.length > 1) ? 0.8 : 0,
};

/** Adds the subject to parts that leave it out. */
export const nameSubject: Behaviour = {
  name: "name-subject",
  cues: [
    { all: ["standalone"], weight: 0.7, negated: -0.9 },
    { all: ["resolve", "reference"], weight: 0.7 },
    { all: ["use", "reference", "entity"], weight: 0.7 },
    { all: ["entity", "reference"], weight: 0.6 },
    { all: ["entity", "pronoun"], weight: 0.6 },
    { all: ["use", "entity"], weight: 0.5 },
  ],
  shownBy: (demonstration) => (sharesNames(demonstration) ? 0.8 : 0),
};

/** Asks first for what the rest of the question depends on. */
export const askFirstThings: Behaviour = {
  name: "ask-first-things",
  cues: [
    { all: ["firststep"], weight: 0.6, negated: 0.6 },
    { all: ["chain"], weight: 0.5 },
    { all: ["split"], weight: 0.4 },
  ],
  shownBy: ({ inputs, outputs }) => {
    const asked = inputs.find(({ role }) => role === "question")?.text ?? "";
    return textsIn(outputs).some((text) => text !== "" && text !== asked) ? 0.7 : 0;
  },
};

/** Inserts the answers that steps found into the question. */
export const fillInAnswers: Behaviour = {
  name: "fill-in-answers",
  cues: [
    { all: ["use", "stepanswer"], weight: 0.7 },
    { all: ["resolve", "stepanswer"], weight: 0.7 },
    { all: ["repeat", "stepanswer"], weight: -0.7, negated: 0.6 },
    { all: ["pastquery"], weight: -0.5, negated: 0.5 },
    { all: ["stepanswer"], weight: 0.4 },
  ],
  shownBy: ({ inputs, outputs }) => {
    const solved = inputs.find(({ role }) => role === "steps")?.text ?? "";
    const answers = [...solved.matchAll(/answer(?:(?!answer)[^:\n])*:\s*(.+)/gi)].map(
      ([, said = ""]) => said,
    );
    const written = textsIn(outputs).join(" ");
    return answers.some((answer) => written.includes(answer.trim())) ? 0.8 : 0;
  },
};

/** The parts of the question; without instructions, the question alone. */
export function writeSubquestions({ material, steering, reader }: Given): readonly string[] {
  const { question } = material;
  if (steering.level(splitAsksApart) < 0.3) return [question];
  const { parts, subject } = splitAsks(question, reader);
  if (parts.length < 2) return [question];
  return steering.level(nameSubject) < 0.3
    ? parts
    : parts.map((part, index) => (index === 0 ? part : withSubject(part, subject, reader)));
}

/** The next question on the way to an answer; without instructions, the question itself. */
export function writeNextQuestion({ material, steering, reader }: Given): string {
  const { question, steps = [] } = material;
  const filled = steering.level(fillInAnswers) >= 0.3 ? steps : [];
  const state = solvedState(question, filled, reader);
  const isStepwise = steering.level(askFirstThings) >= 0.3;
  return isStepwise ? (state.next ?? state.left) : state.left;
}

/** Whether every part that a demonstration shows shares words with the first. */
function sharesNames({ outputs }: Demonstration): boolean {
  const [first, ...others] = textsIn(outputs);
  if (first === undefined || others.length === 0) return false;
  const words = (text: string): ReadonlySet<string> =>
    new Set(text.match(/\b\p{Lu}[\p{L}\p{N}]+/gu)?.slice(1));
  return others.every((other) => similarity(words(first), words(other)) > 0);
}
