import type { Gold, Passage } from "espalier";
import type { ConversationalLabels } from "../../trainsets/conversational.ts";

/**
 * What the labels of a conversation know of the notes-guided system's steps: the classifier's
 * label, and the passages that a full answer needs.
 */
export function goldOfConversations(
  passageOf: (id: string) => Passage | undefined,
): Gold<unknown, ConversationalLabels> {
  const rightPassages: Gold<unknown, ConversationalLabels>[string] = ({ labels }) => {
    const passages = Object.keys(labels.relevant).flatMap((id) => passageOf(id) ?? []);
    return passages.length === 0 ? null : { inputs: { passages: passages.map(shown) } };
  };
  return {
    classifyAnswerability: ({ labels: { answerability: label } }) => {
      if (!["ANSWERABLE", "PARTIAL", "UNANSWERABLE"].includes(label)) return null;
      const [answerable, partial, unanswerable] = ["ANSWERABLE", "PARTIAL", "UNANSWERABLE"].map(
        (one) => Number(one === label),
      ) as [number, number, number];
      return { outputs: { label, answerable, partial, unanswerable } };
    },
    writeCompleteAnswer: rightPassages,
    writePartialAnswer: rightPassages,
  };
}

function shown({ id, title, text }: Passage) {
  return { id, ...(title !== undefined && { title }), text };
}
