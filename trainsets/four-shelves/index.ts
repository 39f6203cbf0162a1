import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { Example, Passage, SplitName, Trainset, Turn } from "espalier";
import { readJsonl, trainset } from "espalier/trainset";
import { z } from "zod";
import type { ConversationalInput, ConversationalLabels } from "../conversational.ts";

export type {
  QuestionRoute,
  RoutedQuestionInput,
  RoutedQuestionLabels,
  SubQuestion,
} from "../routed-question.ts";
export { fourShelvesQuestions } from "./questions.ts";

const shelves = ["encyclopedia", "finance", "government", "cloud"] as const;

const passageRow = z.object({ id: z.string(), title: z.string(), text: z.string() });
const conversationRow = z.object({
  id: z.string(),
  turns: z.array(
    z.object({
      question: z.string(),
      standalone: z.string(),
      answer: z.string(),
      label: z.enum(["answerable", "partial", "unanswerable", "underspecified"]),
      questionType: z.string(),
      gold: z.array(z.string()),
    }),
  ),
});
type ConversationRow = z.infer<typeof conversationRow>;

const passagesOf = (shelf: string): Promise<Passage[]> =>
  readJsonl(resolve(import.meta.dirname, `passages/${shelf}.jsonl`), passageRow);

/** All passages of the four collections; an id's prefix names its collection. */
export async function fourShelvesPassages(): Promise<readonly Passage[]> {
  return (await Promise.all(shelves.map(passagesOf))).flat();
}

/**
 * Multi-turn questions over four small collections of our own writing, one example per turn. Turns
 * of a conversation stay together; conversations are assigned to the splits by the hash of their
 * id, with the same shares for each collection: a quarter train, two fifths val, the rest test.
 * Selection needs more examples than learning.
 */
export async function fourShelves(): Promise<Trainset<ConversationalInput, ConversationalLabels>> {
  const splits = { train: [], val: [], test: [] } as Record<
    SplitName,
    Example<ConversationalInput, ConversationalLabels>[]
  >;
  for (const shelf of shelves) {
    const path = resolve(import.meta.dirname, `conversations/${shelf}.jsonl`);
    const conversations = (await readJsonl(path, conversationRow)).toSorted((left, right) =>
      hash(left.id) < hash(right.id) ? -1 : 1,
    );
    for (const [index, conversation] of conversations.entries()) {
      const share = index / conversations.length;
      const split = share < 0.4 ? "val" : share < 0.65 ? "train" : "test";
      splits[split].push(...examplesOf(shelf, conversation));
    }
  }
  return trainset({
    name: "four-shelves",
    version: "1",
    licence: "Apache-2.0",
    source: "own writing",
    splits,
  });
}

function examplesOf(
  collection: string,
  { id, turns }: ConversationRow,
): Example<ConversationalInput, ConversationalLabels>[] {
  const history: Turn[] = [];
  return turns.map((turn, index) => {
    const example = {
      id: `${id}-t${index + 1}`,
      cluster: id,
      input: { question: turn.question, history: [...history] },
      labels: {
        collection,
        answerability: turn.label.toUpperCase() as ConversationalLabels["answerability"],
        questionType: turn.questionType,
        relevant: Object.fromEntries(turn.gold.map((passage) => [passage, 1])),
        answer: turn.answer,
        standalone: turn.standalone,
      },
    };
    history.push(
      { speaker: "user", text: turn.question },
      { speaker: "assistant", text: turn.answer },
    );
    return example;
  });
}

function hash(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
