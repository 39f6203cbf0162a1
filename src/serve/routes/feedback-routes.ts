import { z } from "zod";
import { ApiError } from "../api-error/api-error.ts";
import { invalidParameter } from "../api-error/invalid-parameter.ts";
import type { ProtocolAdapter } from "../protocol/protocol-adapter.ts";
import type { FeedbackWriter } from "../feedback/feedback-writer.ts";

const said = z
  .string()
  .max(20_000)
  .nullish()
  .transform((text) => (text?.trim() ? text : null));
const body = z.strictObject({
  id: z.string().min(1).max(200),
  rating: z.enum(["up", "down"]),
  comment: said,
  correction: said,
  /** Whom the client rates for: as it named the user when it asked, where it did. */
  user: z.string().max(256).nullish(),
});

/**
 * `POST /v1/feedback`: what somebody thought of an answer; the last word counts. `/health` tells
 * clients that ratings are taken. Only the API key that asked can rate, and for the user it asked
 * for: to others an answer is as unknown as one that is not kept.
 */
export function feedbackRoutes(writer: FeedbackWriter): ProtocolAdapter {
  return {
    health: { feedback: true },
    mount: (app, context) => {
      app.post("/v1/feedback", async (c) => {
        const parsed = body.safeParse(await context.readJson(c.req.raw));
        if (!parsed.success) throw invalidParameter(parsed.error);
        const { id, user = null, ...rating } = parsed.data;
        const apiKey = context.keyNameOf(c.req.raw) ?? null;
        const outcome = await writer.rate(id, rating, { apiKey, user });
        if (outcome === "unwritten") {
          const message = "The rating could not be written. Send it again later.";
          throw new ApiError(503, "feedback_unavailable", message, { retryAfterSeconds: 10 });
        }
        if (outcome === "unknown") {
          const message = "No answer is kept under this id, or not any more.";
          throw new ApiError(404, "completion_not_found", message, { param: "id" });
        }
        return c.json({ object: "feedback", id, rating: rating.rating });
      });
    },
  };
}
