import { z } from "zod";
import type { JsonObject, Passage } from "../../contract/index.ts";

/** The list of results in a search server's reply; `undefined` if it has none. */
export function resultsOfReply(reply: unknown): readonly unknown[] | undefined {
  return z.object({ results: z.array(z.unknown()) }).safeParse(reply).data?.results;
}

/**
 * Converts a result that is a JSON document, or its base64, to a passage. Id and text are `id` and
 * `text`, or `ClueWeb22-ID` and `Clean-Text` (records of ClueWeb22, Overwijk et al. 2022); title,
 * URL and date are included if present, the latter two as `metadata.url` and `metadata.date`. Skips
 * results that have no text or are unreadable.
 */
export function passageOfResult(
  result: unknown,
): (Passage & { readonly score?: number }) | undefined {
  const document = documentShape.safeParse(typeof result === "string" ? decoded(result) : result);
  if (!document.success) return undefined;
  const { title, score, date, ...given } = document.data;
  const id = given.id ?? given["ClueWeb22-ID"] ?? given.url ?? given.URL ?? "";
  const text = given.text ?? given["Clean-Text"] ?? "";
  if (id === "" || text.trim() === "") return undefined;
  const url = (given.url ?? given.URL ?? "").trim();
  const metadata: JsonObject = {
    ...(url === "" ? {} : { url }),
    ...(date ? { date } : {}),
  };
  return {
    id,
    ...(title ? { title } : {}),
    text,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(typeof score === "number" ? { score } : {}),
  };
}

const optionalText = z.string().nullish();
const documentShape = z.object({
  id: z.union([z.string(), z.number().transform(String)]).nullish(),
  "ClueWeb22-ID": optionalText,
  title: optionalText,
  text: optionalText,
  "Clean-Text": optionalText,
  url: optionalText,
  URL: optionalText,
  date: optionalText,
  score: z.number().nullish(),
});

function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64").toString("utf8"));
  } catch {
    return undefined;
  }
}
