export interface Inquiry {
  /** The lines before the last one; empty if the user has spoken once. */
  readonly conversation: string;
  /** What the user said last. */
  readonly question: string;
}

/**
 * Splits an inquiry in the format of the official scripts, one `speaker: text` per line, as they
 * show it to a rating judge (`judge_utils.py` of IBM's mt-rag-benchmark, commit cc5b1d4). Texts may
 * span lines; the last line counts as the question's, so a question of several lines keeps only its
 * first, and the rest but the last stays with the conversation.
 */
export function splitInquiry(inquiry: string): Inquiry {
  const lines = inquiry.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u);
  const asked = lines.filter((line) => line.startsWith("user:"));
  const question = (asked.at(-1)?.split("user: ")[1] ?? "").trim();
  return { conversation: asked.length === 1 ? "" : lines.slice(0, -1).join("\n"), question };
}
