import type { Turn } from "espalier";

/** What a multi-turn retrieval example gives the program. */
export interface ConversationalInput {
  readonly question: string;
  /** Turns before the question, oldest first. */
  readonly history: readonly Turn[];
}

/** What is known of the right answer, in every multi-turn set. */
export interface ConversationalLabels {
  readonly collection: string;
  readonly answerability:
    | "ANSWERABLE"
    | "PARTIAL"
    | "UNANSWERABLE"
    | "UNDERSPECIFIED"
    | "CONVERSATIONAL";
  readonly questionType: string;
  /** Grade of each relevant passage, by id; none where no passage answers. */
  readonly relevant: Readonly<Record<string, number>>;
  /** Reference answer. */
  readonly answer: string;
  /** The question for somebody who has not read the conversation, where the set has one. */
  readonly standalone?: string;
}
