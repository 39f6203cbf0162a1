import { z } from "zod";
import type { Json } from "../../contract/index.ts";
import { isObject } from "../../internal/index.ts";

/** What a server answers to a call. */
export interface McpResult {
  readonly content?: readonly unknown[] | null | undefined;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | null | undefined;
}

export const mcpResult: z.ZodType<McpResult> = z.object({
  content: z.array(z.unknown()).nullish(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().nullish(),
});

/**
 * The result as the model sees it: what the server says as data, or else as text. What is neither
 * text nor an address is named.
 *
 * @throws Error for an error of the tool, which is told to the model
 */
export function resultOf({ content, structuredContent, isError }: McpResult): Json {
  const parts = content ?? [];
  const texts = parts.map(textOfPart).join("\n");
  const data = (structuredContent ?? null) as Json;
  const json = data === null ? "" : JSON.stringify(data);
  if (isError === true) throw new Error(texts.trim() || json || "The tool failed without a word");
  if (data === null) return texts;
  // By the protocol, texts repeat the data; a resource does not.
  if (parts.every((part) => isObject(part) && part["type"] === "text")) return data;
  return texts.includes(json) ? texts : `${texts}\n${json}`;
}

function textOfPart(part: unknown): string {
  const { type, text, resource, uri, name, description, mimeType } = membersOf(part);
  if (typeof text === "string") return text;
  if (type === "resource_link") return told([name, uri, description]);
  const held = membersOf(resource);
  if (typeof held["text"] === "string") return `${told([held["uri"]])}\n${held["text"]}`.trim();
  return `(${told([type, mimeType, held["uri"], held["mimeType"]])})`;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function told(said: readonly unknown[]): string {
  return said.filter((word) => typeof word === "string" && word !== "").join(" ");
}
