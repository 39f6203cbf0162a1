import type { Turn } from "espalier";

/** The input of a multi-turn retrieval example. */
export interface ConversationalInput {
  readonly question: string;
  /** Turns before the question, oldest first. */
  readonly history: readonly Turn[];
}

/** The labels that every multi-turn set has. */
export interface ConversationalLabels {
  readonly collection: string;
  readonly answerability:
    | "ANSWERABLE"
    | "PARTIAL"
    | "UNANSWERABLE"
    | "UNDERSPECIFIED"
    | "CONVERSATIONAL";
  readonly questionType: string;
  /** Grade of each relevant passage, by id; empty if no passage answers. */
  readonly relevant: Readonly<Record<string, number>>;
  /** Reference answer. */
  readonly answer: string;
  /** The question reworded to make sense without the conversation, if the set has it. */
  readonly standalone?: string;
}
