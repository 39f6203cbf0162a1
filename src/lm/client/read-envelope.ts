import { z } from "zod";
import { LmError } from "../../errors/index.ts";
import { foreignJson } from "../../internal/index.ts";
import type { ReplyOrigin } from "./reply-origin.ts";

/**
 * Checks the shape of a reply. A mismatch is the server's fault, so it counts as infrastructure.
 */
export function readEnvelope<TShape extends z.ZodType>(
  shape: TShape,
  body: unknown,
  { where, masked }: ReplyOrigin,
): z.output<TShape> {
  const result = shape.safeParse(body);
  if (result.success) return result.data;
  const json = masked(foreignJson(body));
  throw new LmError({
    code: "lm-bad-envelope",
    problem: "The server's reply does not match the protocol",
    expected: result.error.issues
      .map(({ path, message }) => `${path.join(".") || "the body"}: ${message}`)
      .join("; "),
    got: `\`${json.slice(0, 200)}\``,
    where,
    body: json.slice(0, 2_000),
  });
}
