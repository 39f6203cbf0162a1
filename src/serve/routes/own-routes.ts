import { z } from "zod";
import { ApiError, invalidParameter } from "../api-error/api-error.ts";
import type { ProtocolAdapter } from "../protocol/protocol-adapter.ts";
import type { FeedbackWriter } from "../feedback/feedback-writer.ts";
import type { Rating } from "../feedback/kept-completion.ts";
import type { CanaryReport } from "../canary/canary-report.ts";
import { canaryJson } from "../canary/canary-report.ts";

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
  /** The user that the client rates for: the one it named when it asked, if any. */
  user: z.string().max(256).nullish(),
});

/**
 * `POST /v1/feedback` rates an answer; the last rating counts. `/health` tells clients that ratings
 * are accepted. Only the API key that asked can rate, and only for the user it asked for: to anyone
 * else the answer looks like one that is not kept.
 */
export function feedbackRoutes(
  writer: FeedbackWriter,
  onRated: (id: string, rating: Rating) => void,
): ProtocolAdapter {
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
          const message = "The rating could not be saved. Send it again later.";
          throw new ApiError(503, "feedback_unavailable", message, { retryAfterSeconds: 10 });
        }
        if (outcome === "unknown") {
          const message = "No answer is stored under this id; it may have been erased.";
          throw new ApiError(404, "completion_not_found", message, { param: "id" });
        }
        onRated(id, rating);
        return c.json({ object: "feedback", id, rating: rating.rating });
      });
    },
  };
}

/** `GET /v1/rollouts`: candidates on trial and their state, oldest first. */
export function canaryRoutes(reports: () => Promise<readonly CanaryReport[]>): ProtocolAdapter {
  return {
    mount: (app) => {
      app.get("/v1/rollouts", async (c) => {
        const data = (await reports()).map(canaryJson);
        return c.json({ object: "list", data });
      });
    },
  };
}
