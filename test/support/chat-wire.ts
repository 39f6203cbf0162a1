import { z } from "zod";

/**
 * The messages of OpenAI's chat completions as its API reference documents them, and vLLM takes
 * them: every key is known, and pictures are the user's alone.
 */
const text = z.strictObject({ type: z.literal("text"), text: z.string() });
const image = z.strictObject({
  type: z.literal("image_url"),
  image_url: z.strictObject({
    url: z.union([
      z.string().regex(/^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/),
      z.url({ protocol: /^https?$/ }),
    ]),
    detail: z.enum(["auto", "low", "high"]).optional(),
  }),
});
const texts = z.union([z.string(), z.array(text).min(1)]);

const chatMessages = z
  .array(
    z.discriminatedUnion("role", [
      z.strictObject({ role: z.literal("system"), content: texts }),
      z.strictObject({
        role: z.literal("user"),
        content: z.union([z.string(), z.array(z.union([text, image])).min(1)]),
      }),
      z.strictObject({ role: z.literal("assistant"), content: texts }),
    ]),
  )
  .min(1);

/** The addresses of the pictures in a request's messages, which must keep to the schema. */
export function picturesOnWire(messages: unknown): readonly string[] {
  return chatMessages
    .parse(messages)
    .flatMap(({ content }) =>
      typeof content === "string"
        ? []
        : content.flatMap((part) => (part.type === "image_url" ? [part.image_url.url] : [])),
    );
}
