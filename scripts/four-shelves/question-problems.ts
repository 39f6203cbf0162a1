import type { QuestionRow } from "./read-questions.ts";
import type { PassageRow } from "./read-shelves.ts";
import { wordsOf } from "./text-problems.ts";

/** The minimum number of questions of each kind that the set promises. */
export const fewest = {
  straightforward: 12,
  "single-step": 20,
  compound: 25,
  complex: 35,
} as const;

/** Separates the parts of a compound answer. */
const joint = " && ";

/** Problems of the single questions, one sentence each; empty if the set keeps its promises. */
export function questionProblems(
  questions: readonly QuestionRow[],
  passages: readonly PassageRow[],
): readonly string[] {
  const texts = new Map(passages.map(({ id, title, text }) => [id, `${title} ${text}`]));
  return [
    ...countProblems(questions),
    ...repeatedQuestions(questions),
    ...questions.flatMap((row) =>
      [
        ...stepProblems(row, texts),
        ...shapeProblems(row),
        ...(row.questionType === "bridge" ? chainProblems(row) : []),
        ...answerProblems(row),
      ].map((problem) => `${row.id}: ${problem}`),
    ),
  ];
}

/** Whether `whole` contains the words of `part` in sequence, ignoring case. */
function holdsWords(whole: string, part: string): boolean {
  return ` ${wordsOf(whole).join(" ")} `.includes(` ${wordsOf(part).join(" ")} `);
}

function countProblems(questions: readonly QuestionRow[]): string[] {
  return Object.entries(fewest).flatMap(([route, least]) => {
    const count = questions.filter((row) => row.route === route).length;
    return count >= least ? [] : [`${count} ${route} questions, expected at least ${least}`];
  });
}

function repeatedQuestions(questions: readonly QuestionRow[]): string[] {
  const texts = new Map<string, string>();
  const ids = new Set<string>();
  return questions.flatMap(({ id, question }) => {
    const key = wordsOf(question).join(" ");
    const first = texts.get(key);
    const problems = first === undefined ? [] : [`${id}: the same question as ${first}`];
    if (ids.has(id)) problems.push(`${id}: used twice`);
    texts.set(key, first ?? id);
    ids.add(id);
    return problems;
  });
}

function stepProblems(row: QuestionRow, texts: ReadonlyMap<string, string>): string[] {
  return row.decomposition.flatMap(({ answer, passageId }) => {
    const text = texts.get(passageId);
    if (text === undefined) return [`passage ${passageId} does not exist`];
    return holdsWords(text, answer) ? [] : [`${passageId} does not contain "${answer}"`];
  });
}

const steps = {
  straightforward: [0, 0],
  "single-step": [1, 1],
  compound: [2, 3],
  complex: [2, 3],
} as const;

function shapeProblems({ route, questionType, decomposition, answers }: QuestionRow): string[] {
  const [least, most] = steps[route];
  const count = decomposition.length;
  const problems = count >= least && count <= most ? [] : [`${count} steps in a ${route} question`];
  const passages = new Set(decomposition.map(({ passageId }) => passageId)).size;
  if (route === "complex" && passages < 2) problems.push("every step is in one passage");
  const parts = answers.map((answer) => answer.split(joint).length);
  const expected = route === "compound" ? count : 1;
  if (parts.some((number) => number !== expected)) {
    problems.push(`an answer does not have ${expected} parts`);
  }
  const joined = decomposition.map(({ answer }) => answer).join(joint);
  if (route === "compound" && answers[0] !== joined) {
    problems.push("the first answer does not join the answers of its steps");
  }
  const last = decomposition.at(-1)?.answer;
  if (questionType !== "comparison" && expected === 1 && last !== undefined) {
    if (!answers.includes(last)) problems.push("the last step's answer is not among the answers");
  }
  return problems;
}

function chainProblems({ question, decomposition }: QuestionRow): string[] {
  return decomposition.flatMap(({ answer }, index) => {
    const next = decomposition[index + 1];
    if (next === undefined) return [];
    const problems = holdsWords(next.question, answer)
      ? []
      : [`step ${index + 2} does not ask about "${answer}"`];
    // Otherwise the step could be skipped.
    return holdsWords(question, answer)
      ? [...problems, `the question already names "${answer}"`]
      : problems;
  });
}

function answerProblems({ question, questionType, answers }: QuestionRow): string[] {
  const given = answers.filter((answer) => holdsWords(question, answer));
  if (questionType === "comparison") {
    return given.length > 0 ? [] : ["the question does not name the answer as one of two options"];
  }
  return given.map((answer) => `the question gives away "${answer}"`);
}
