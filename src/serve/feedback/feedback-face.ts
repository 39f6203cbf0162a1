import { z } from "zod";
import { ApiError } from "../http/api-error.ts";
import { invalidParameter } from "../http/invalid-parameter.ts";
import type { Face } from "../http/serve-context.ts";
import type { FeedbackStore } from "./open-feedback.ts";

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
});

/**
 * `POST /v1/feedback`: what somebody thought of an answer; the last word counts. `/health` tells clients
 * that ratings are taken.
 */
export function feedbackFace(store: FeedbackStore): Face {
  return {
    health: { feedback: true },
    mount: (app, context) => {
      app.post("/v1/feedback", async (c) => {
        const parsed = body.safeParse(await context.readJson(c.req.raw));
        if (!parsed.success) throw invalidParameter(parsed.error);
        const { id, ...rating } = parsed.data;
        if (!store.rate(id, rating)) {
          const message = "No answer is kept under this id, or not any more.";
          throw new ApiError(404, "completion_not_found", message, { param: "id" });
        }
        return c.json({ object: "feedback", id, rating: rating.rating });
      });
    },
  };
}
