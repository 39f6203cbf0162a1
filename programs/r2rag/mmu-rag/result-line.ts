import type { ChatOutcome } from "espalier/serve";

/** The answer of `POST /evaluate`, and a line of a batch's result. */
export interface ResultLine {
  /** The `iid` of the question. */
  readonly query_id: string | number;
  readonly generated_response: string;
  /** Addresses, in the order of the answer's citation numbers. */
  readonly citations: readonly string[];
  /** Texts used to write the answer. */
  readonly contexts: readonly string[];
}

/** An answer in the format of MMU-RAG's harness, with a fixed sentence for an empty one. */
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

/** A failed run, in place of its answer. */
export function failedLine(iid: string | number, message: string): ResultLine {
  return {
    query_id: iid,
    generated_response: `Error processing query: ${message}`,
    citations: [],
    contexts: [],
  };
}
