import type { InputField, SolvedStep } from "../../reading/index.ts";
import { jsonList, readStepLines, textsIn } from "../../reading/index.ts";
import type { TextReader } from "../../text/index.ts";
import type { NoteSections } from "./note-sections.ts";
import { readNoteSections } from "./note-sections.ts";
import type { PassageText } from "./passage-blocks.ts";
import { readPassageBlocks } from "./passage-blocks.ts";

export interface SpokenTurn {
  readonly speaker: "user" | "assistant";
  readonly text: string;
}

/** The inputs of one call, sorted by kind. */
export interface Material {
  readonly question: string;
  /** Turns before the question, oldest first. */
  readonly turns: readonly SpokenTurn[];
  readonly passages: readonly PassageText[];
  readonly notes: NoteSections;
  /** Queries sent before. */
  readonly pastQueries: readonly string[];
  /** Sub-questions answered on the way; `undefined` if the request mentions none. */
  readonly steps: readonly SolvedStep[] | undefined;
  /** Texts to be judged or split up, in order. */
  readonly responses: readonly string[];
  /** The text that a response is compared with; empty if there is none. */
  readonly reference: string;
  /** A number that says how many results are wanted. */
  readonly count: number | undefined;
  /** Inputs of no other kind. */
  readonly texts: readonly string[];
}

export function readMaterial(inputs: readonly InputField[], reader: TextReader): Material {
  const textsOf = (role: InputField["role"]): readonly string[] =>
    inputs.filter((input) => input.role === role && input.text !== "").map(({ text }) => text);
  const spoken = textsOf("conversation").flatMap(readTurns);
  const asked = textsOf("question")[0];
  const question = asked ?? spoken.findLast(({ speaker }) => speaker === "user")?.text ?? "";
  const others = inputs.filter(({ role, text }) => role === "question" && text !== "").slice(1);
  const notes = readNoteSections(
    inputs.filter(({ role }) => role === "notes"),
    reader,
  );
  return {
    question,
    turns: spoken.filter(
      (turn, index) => !(turn.text.trim() === question.trim() && index >= spoken.length - 2),
    ),
    passages: textsOf("passages").flatMap(readPassageBlocks),
    notes,
    steps: inputs.some(({ role }) => role === "steps")
      ? textsOf("steps").flatMap(readStepLines)
      : undefined,
    responses: textsOf("response"),
    reference: textsOf("reference").join("\n"),
    count: countIn(inputs),
    pastQueries: [
      ...textsOf("queries").flatMap(readList),
      ...notes.queries,
      ...others.filter(isQuery).map(({ text }) => text),
    ],
    texts: [
      ...textsOf("text"),
      ...others.filter((input) => !isQuery(input)).map(({ text }) => text),
    ],
  };
}

/** A query beside the question is one that was sent for it. */
function isQuery({ description, title }: InputField): boolean {
  return /\b(?:quer(?:y|ies)|search)\b/i.test(description === "" ? title : description);
}

/** The one input that is a small whole number. */
function countIn(inputs: readonly InputField[]): number | undefined {
  const counts = inputs.filter(({ text }) => /^\d{1,2}$/.test(text));
  return counts.length === 1 ? Number(counts[0]?.text) : undefined;
}

/** `speaker: text` lines; a line without a speaker continues the previous turn. */
function readTurns(text: string): readonly SpokenTurn[] {
  const turns: SpokenTurn[] = [];
  for (const line of text.split("\n")) {
    const match = /^(user|human|assistant|agent|system)\s*:\s?(.*)$/i.exec(line.trim());
    const last = turns.at(-1);
    if (match !== null) {
      const isUser = /^(?:user|human)$/i.test(match[1] ?? "");
      turns.push({ speaker: isUser ? "user" : "assistant", text: match[2] ?? "" });
    } else if (last !== undefined) {
      turns[turns.length - 1] = { ...last, text: `${last.text}\n${line}` };
    }
  }
  return turns;
}

/** Items of a numbered or bulleted list, or lines. */
function readList(text: string): readonly string[] {
  const listed = jsonList(text).flatMap(textsIn);
  if (listed.length > 0) return listed;
  return text
    .split(/\n+|;\s+/)
    .map((line) => line.replace(/^\s*(?:\d+[.)]|[-*•])\s*/, "").trim())
    .filter((line) => line !== "");
}
