import type { ClarificationVerdict } from "../metric/index.ts";

/**
 * Reads from a judge's reply whether a response asks what the user meant, by the rule of the
 * official script (`judge_wrapper.py` of IBM's mt-rag-benchmark, commit cc5b1d4): a JSON object
 * with `decision` "yes" (1) or "no" (0), fenced or with text around it, without the backslashes
 * that are invalid in JSON. Anything else is 0.5.
 */
export function clarificationVerdictIn(reply: string): ClarificationVerdict {
  const decision = decisionOf(reply)?.toLowerCase();
  return decision === "yes" ? 1 : decision === "no" ? 0 : 0.5;
}

function decisionOf(reply: string): string | null {
  const found = reply.includes("```json")
    ? between(reply, "```json", "```")
    : between(reply, "{", "}");
  if (found === null) return null;
  const body = found.replaceAll(/\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})/g, "");
  const opened = body.startsWith("{") ? body : `{${body}`;
  try {
    const parsed: unknown = JSON.parse(opened.endsWith("}") ? opened : `${opened}}`);
    const decision = (parsed as { readonly decision?: unknown }).decision;
    return typeof decision === "string" ? decision : null;
  } catch {
    return null;
  }
}

function between(text: string, opening: string, closing: string): string | null {
  const start = text.indexOf(opening) + opening.length;
  const end = text.indexOf(closing, start);
  return start < opening.length || end < 0 ? null : text.slice(start, end).trim();
}
