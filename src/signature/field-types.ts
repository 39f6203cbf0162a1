import { z } from "zod";
import type { ImageUrl, Passage, RankedPassage, Text, Turn } from "../contract/index.ts";
import { imageUrlProblem } from "../internal/index.ts";

/** The meaning of our own zod schemas, where zod's type does not express it. */
export interface FieldMeta {
  readonly fieldKind?: "passages" | "conversation" | "image";
  /** Passages carry a score. */
  readonly isRanked?: boolean;
  readonly role?: string;
  /** Bounds a text in the JSON schema alone. */
  readonly schemaMaxLength?: number;
}

/** The one registry of our own field types, keyed weakly by schema. */
export const fieldMeta: z.core.$ZodRegistry<FieldMeta> = z.registry<FieldMeta>();

export interface TextOptions {
  /** In UTF-16 code units. */
  readonly min?: number;
  /** In UTF-16 code units. @default 4000, in the JSON schema only */
  readonly max?: number;
}

/**
 * Text that plays one role: `text("question", "What the user asks now.")`. Any word can be a role;
 * text of one role cannot be passed where another is expected.
 */
export function text<const TRole extends string>(
  role: TRole,
  description = "",
  { min, max }: TextOptions = {},
): z.ZodType<Text<TRole>, Text<TRole>> {
  let schema = z.string();
  if (min !== undefined) schema = schema.min(min);
  if (max !== undefined) schema = schema.max(max);
  return described(schema, description).register(fieldMeta, { role });
}

/** What `reason()` asks for: grammars stop it where a weak model never would. */
export const reasoning: z.ZodType<Text<"thought">, Text<"thought">> = z
  .string()
  .describe("Step by step thinking that leads to the other fields, in at most 100 words.")
  .register(fieldMeta, { role: "thought", schemaMaxLength: 2_000 }) as never;

/** Retrieved passages, shown to the model in `<passage>` tags with number and title. */
export function passages(
  description = "Passages that were retrieved, numbered.",
): z.ZodType<readonly Passage[], readonly Passage[]> {
  const passage = z.looseObject({ id: z.string(), title: z.string().optional(), text: z.string() });
  return described(z.array(passage), description).register(fieldMeta, {
    fieldKind: "passages",
  }) as unknown as z.ZodType<readonly Passage[], readonly Passage[]>;
}

/** Passages with their ranking score, best first: the output of a retrieval program. */
export function rankedPassages(
  description = "Passages that were retrieved, best first.",
): z.ZodType<readonly RankedPassage[], readonly RankedPassage[]> {
  const passage = z.looseObject({
    id: z.string(),
    title: z.string().optional(),
    text: z.string(),
    score: z.number(),
  });
  return described(z.array(passage), description).register(fieldMeta, {
    fieldKind: "passages",
    isRanked: true,
  }) as unknown as z.ZodType<readonly RankedPassage[], readonly RankedPassage[]>;
}

/** Turns of a conversation, oldest first, shown to the model in `<turn>` tags with the speaker. */
export function conversation(
  description = "The conversation so far, oldest turn first.",
): z.ZodType<readonly Turn[], readonly Turn[]> {
  const turn = z.object({ speaker: z.enum(["user", "assistant"]), text: z.string() });
  return described(z.array(turn), description).register(fieldMeta, {
    fieldKind: "conversation",
  });
}

/**
 * An image for the model: PNG, JPEG, WebP or GIF, as a `data:` URL of at most 10 MiB, or at a URL
 * that the model's server loads. Files become data by `readImage`, and in `readExamples`. For
 * inputs only, as a separate field, `.optional()` or in a list.
 */
export function image(description = "A picture."): z.ZodType<ImageUrl, ImageUrl> {
  const url = z.string().refine((value) => imageUrlProblem(value) === null, {
    error: ({ input }) => problemOf(String(input)),
    params: { id: "image" },
  });
  return described(url, description).register(fieldMeta, { fieldKind: "image" });
}

function problemOf(url: string): string {
  const problem = imageUrlProblem(url) ?? "expected an image";
  return /^(?:https?|data):/i.test(url)
    ? problem
    : `${problem}; a file is read with \`readImage(path)\``;
}

function described<TSchema extends z.ZodType>(schema: TSchema, description: string): TSchema {
  return description === "" ? schema : schema.describe(description);
}
