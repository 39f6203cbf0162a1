import { z } from "zod";
import type { Passage, RankedPassage, Text, Turn } from "../contract/index.ts";

/** What a zod schema of ours stands for, where zod's own type does not say it. */
export interface FieldMeta {
  readonly fieldKind?: "passages" | "conversation";
  /** Of passages: they carry a score. */
  readonly isRanked?: boolean;
  readonly role?: string;
}

/** Owner of the meaning of our own field types; weak, keyed by schema. */
export const fieldMeta: z.core.$ZodRegistry<FieldMeta> = z.registry<FieldMeta>();

export interface TextOptions {
  /** In UTF-16 code units. */
  readonly min?: number;
  /** In UTF-16 code units. @default 4000, in the JSON schema only */
  readonly max?: number;
}

/**
 * Text that plays one role: `text("question", "What the user asks now.")`. Any word is a role; text
 * of one role cannot be passed where another is asked.
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

/** Retrieved passages, shown to the model in `<passage>` tags with number and title. */
export function passages(
  description = "Passages that were retrieved, numbered.",
): z.ZodType<readonly Passage[], readonly Passage[]> {
  const passage = z.looseObject({ id: z.string(), title: z.string().optional(), text: z.string() });
  return described(z.array(passage), description).register(fieldMeta, {
    fieldKind: "passages",
  }) as unknown as z.ZodType<readonly Passage[], readonly Passage[]>;
}

/** Passages with the score they were ranked by, best first: what a retrieving program gives. */
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

function described<TSchema extends z.ZodType>(schema: TSchema, description: string): TSchema {
  return description === "" ? schema : schema.describe(description);
}
