import type { TextReader } from "../text/index.ts";
import { stemTable } from "../text/index.ts";
import { hasStepLines } from "./step-lines.ts";
import type { InputRole } from "./task.ts";

/**
 * The role of an input. Its shape decides first (speaker lines, numbered blocks, sub-questions with
 * answers), then the earliest indicative word of its description; its title counts only if there is
 * no description.
 */
export function inputRoleOf(
  { title, description, text }: { title: string; description: string; text: string },
  reader: TextReader,
): InputRole {
  if (/^(?:user|assistant): /im.test(text) && !/^\[1\] /m.test(text)) return "conversation";
  if (text.startsWith("[1] ")) return "passages";
  const words = reader.words(description === "" ? spaced(title) : description);
  const stems = words.map(({ stem }) => stem);
  if (isOfSteps(stems)) return "steps";
  if (repliedTo.test(description)) return "question";
  const first = stems.map((stem) => roleByStem.get(stem)).find((role) => role !== undefined);
  // A passage may consist of questions and answers.
  if (first !== "passages" && hasStepLines(text)) return "steps";
  if (first === undefined) return "text";
  // A figure about an answer is not an answer.
  return first === "response" && !/\p{L}/u.test(text) ? "text" : settle(first, stems);
}

/** "The steps solved so far, each with its sub-question and its answer." */
function isOfSteps(stems: readonly string[]): boolean {
  return (
    stems.includes("question") &&
    stems.includes("answer") &&
    stems.some((stem) => stepStems.includes(stem))
  );
}

function settle(role: InputRole, stems: readonly string[]): InputRole {
  // The description of a list of past queries uses the same noun as that of a single query.
  const isQueryList = stems.includes("queri") || (stems.includes("search") && role !== "passages");
  const isPast = stems.some((stem) => pastStems.includes(stem));
  if (role === "question" && isQueryList && isPast) return "queries";
  // "The reference answer" is not an answer to judge, and "reference passages" are passages.
  const isGold = stems.slice(0, 4).some((stem) => goldStems.includes(stem));
  if (role === "response" && isGold) return "reference";
  return role;
}

/** "What the response replies to." */
const repliedTo =
  /^what (?:the |an? )?(?:response|answer|reply)\b.{0,20}\b(?:repl|answer|respond)\w* to\b/i;

const pastStems: readonly string[] = "earlier previou alreadi us tri issu sent past prior".split(
  " ",
);
const stepStems: readonly string[] = "step solv sub subquest intermedi pair part".split(" ");
const goldStems: readonly string[] = "refer gold good expect correct ideal target".split(" ");

const roleByStem: ReadonlyMap<string, InputRole> = stemTable<
  Exclude<InputRole, "queries" | "steps" | "reference" | "text">
>({
  conversation: "conversation dialogue dialog chat history turns",
  passages:
    "passage passages document documents paragraphs context evidence snippets excerpts sources",
  notes: "notes findings missing suggestions memory summary",
  question: "question query asks request claim utterance",
  response: "answer response reply candidate draft statement",
});

function spaced(title: string): string {
  return title.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}
