/**
 * Verifies the claims of the trainset's README about its texts and its headroom.
 * `npm run check:four-shelves`, or for one collection: `... -- finance`.
 */
import { refuse, scriptOptions } from "../support/script-options.ts";
import { headRoom } from "./head-room.ts";
import type { Shelf } from "./read-shelves.ts";
import { questionHeadRoom } from "./question-head-room.ts";
import { questionProblems } from "./question-problems.ts";
import { readQuestions } from "./read-questions.ts";
import { readShelves, shelves } from "./read-shelves.ts";
import { textProblems } from "./text-problems.ts";

const names = Object.keys(shelves) as Shelf[];
const help = {
  command: "npm run check:four-shelves",
  about: "Verifies the README's claims about the texts of the four shelves and their headroom.",
  positionals: `[${names.join(" | ")}]...`,
};
const { positionals } = scriptOptions(help);
const unknown = positionals.find((name) => !names.some((shelf) => shelf === name));
if (unknown !== undefined) refuse(`Unknown collection "${unknown}".`, help);
const asked = names.filter((name) => positionals.includes(name));
const rows = readShelves(asked.length === 0 ? names : asked);

// The single questions span all shelves, so they are checked only when all shelves are.
const questions = asked.length === 0 ? readQuestions() : [];
const passages = rows.flatMap((shelf) => shelf.passages);

const problems = [
  ...textProblems(rows),
  ...(questions.length === 0 ? [] : questionProblems(questions, passages)),
];
for (const problem of problems) console.log(problem);
for (const { shelf, passages, conversations } of rows) {
  const turns = conversations.flatMap((conversation) => conversation.turns);
  const labels = Object.entries(Object.groupBy(turns, ({ label }) => label))
    .map(([label, { length }]) => `${label} ${length}`)
    .join(", ");
  console.log(
    `${shelf}: ${passages.length} passages, ${conversations.length} conversations, ${turns.length} turns (${labels})`,
  );
}
const { turns, lastTurn, standalone } = headRoom(rows);
console.log(
  `BM25 recall@10 over ${turns} turns: last turn ${lastTurn.toFixed(3)}, standalone ${standalone.toFixed(3)}`,
);
for (const kind of questionHeadRoom(questions, passages)) {
  console.log(
    `BM25 recall@10 over ${kind.questions} ${kind.route} questions: as asked ${kind.question.toFixed(3)} (all passages for ${kind.complete.toFixed(3)} of them), by sub-questions ${kind.subQuestions.toFixed(3)}`,
  );
}
if (problems.length > 0) {
  console.log(`${problems.length} problems.`);
  process.exitCode = 1;
}
