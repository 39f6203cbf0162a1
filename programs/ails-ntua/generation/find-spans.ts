import type { Passage, Text, Turn } from "espalier";
import { unlessUnreadable } from "../../support/unless-unreadable.ts";
import type { GenerationCall } from "./modules.ts";

const urgent = "The answer does stand in these passages. Search them again, and find it.";

/**
 * Stage 1: sentences that answer the question, from one attempt and, if it finds too few, a second,
 * more urgent one; if that also fails, the first passages replace them.
 */
export async function findSpans(
  given: {
    readonly question: Text<"question">;
    readonly history: readonly Turn[];
    readonly passages: readonly Passage[];
  },
  call: GenerationCall,
): Promise<readonly Text<"span">[]> {
  const { maxSpans, minSpans, fallbackPassages } = call.parameters;
  const attempt = async (notice: string, key: "first" | "urgent") => {
    const reply = call.predictors.extractSpans({ ...given, maxSpans, notice }, { key });
    const { spans } = await unlessUnreadable(reply, () => ({ spans: [] }));
    return spans.slice(0, maxSpans).map(({ sentence }) => sentence);
  };
  const first = await attempt("", "first");
  const found = first.length < minSpans ? await attempt(urgent, "urgent") : first;
  const isEnough = found.length >= minSpans;
  call.note("spans", isEnough ? found.length : "the first passages");
  return isEnough ? found : given.passages.slice(0, fallbackPassages).map(({ text }) => text);
}
