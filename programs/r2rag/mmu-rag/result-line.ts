import type { ChatOutcome } from "espalier/serve";

/** What `POST /evaluate` answers with, and a line of a batch's result. */
export interface ResultLine {
  /** The `iid` of the question. */
  readonly query_id: string | number;
  readonly generated_response: string;
  /** Addresses, in the order in which the answer numbers them. */
  readonly citations: readonly string[];
  /** Texts that the answer was written from. */
  readonly contexts: readonly string[];
}

/** An answer as MMU-RAG's harness reads it, which has a sentence for an empty one. */
export function resultLine(
  iid: string | number,
  { answer, citations, contexts }: Pick<ChatOutcome, "answer" | "citations" | "contexts">,
): ResultLine {
  return {
    query_id: iid,
    generated_response: answer.trim() || "No response generated",
    citations: citations.map(({ url }) => url),
    contexts,
  };
}

/** A run that failed, in the place of its answer. */
export function failedLine(iid: string | number, message: string): ResultLine {
  return {
    query_id: iid,
    generated_response: `Error processing query: ${message}`,
    citations: [],
    contexts: [],
  };
}
