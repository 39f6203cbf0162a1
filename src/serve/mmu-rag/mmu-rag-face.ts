import { z } from "zod";
import { ApiError } from "../api-error/api-error.ts";
import { invalidParameter } from "../api-error/invalid-parameter.ts";
import type { ProtocolAdapter } from "../protocol/protocol-adapter.ts";
import { failedLine, resultLine } from "./result-line.ts";
import { streamedRun } from "./streamed-run.ts";

const runBody = z.object({ question: z.string() });
const evaluateBody = z.object({
  query: z.string(),
  iid: z.union([z.string().max(1_000), z.number()]),
});

/**
 * `POST /run` and `POST /evaluate` of the MMU-RAG competition, and what its harness reads of
 * `GET /health`. The protocol names no model, so one answers them all; a conversation it does not know.
 *
 * @param model id of the model, with a version or without
 */
export function mmuRagFace({ model: name }: { readonly model: string }): ProtocolAdapter {
  return {
    health: { status: "healthy", systems: [name] },
    mount: (app, context) => {
      app.post("/run", async (c) => {
        const { question } = read(runBody, await context.readJson(c.req.raw), "question");
        const model = await context.models.resolve(name);
        const apiKey = context.keyNameOf(c.req.raw);
        try {
          return streamedRun(c, { model, question, context, apiKey });
        } catch (error) {
          throw error instanceof ApiError ? error.about(paramOf(error, "question")) : error;
        }
      });

      app.post("/evaluate", async (c) => {
        try {
          const body = await context.readJson(c.req.raw);
          const { query, iid } = read(evaluateBody, body, "query");
          const model = await context.models.resolve(name);
          const id = context.newId("evaluate");
          c.header("x-request-id", id);
          const { signal } = c.req.raw;
          const apiKey = context.keyNameOf(c.req.raw);
          const asked = await context.ask({
            model,
            question: query,
            history: [],
            id,
            ...(apiKey !== undefined && { apiKey }),
            signal,
          });
          if (asked.state === "answered") return c.json(resultLine(iid, asked.outcome));
          if (asked.state === "left") return c.body(null, 400);
          // Only a run that began failed on its query; what the server refused may be asked again.
          if (asked.outcome === null) throw asked.error;
          return c.json(failedLine(iid, asked.error.message));
        } catch (error) {
          throw error instanceof ApiError
            ? new DetailedError(error.about(paramOf(error, "query")))
            : error;
        }
      });
    },
  };
}

/** What a conversation calls messages is one text here. */
function paramOf({ param }: ApiError, question: string): string | null {
  return param === "messages" ? question : param;
}

/** FastAPI's `detail`, which the harness reads, beside what every route says. */
class DetailedError extends ApiError {
  constructor({ status, code, message, param, retryAfterSeconds }: ApiError) {
    super(status, code, message, {
      param,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }

  override get body(): ApiError["body"] & { readonly detail: string } {
    return { ...super.body, detail: this.message };
  }
}

function read<TSchema extends z.ZodType>(
  schema: TSchema,
  given: unknown,
  question: string,
): z.output<TSchema> {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw invalidParameter(parsed.error);
  if (String(Reflect.get(given as object, question)).trim() === "") {
    const message = `\`${question}\` is empty.`;
    throw new ApiError(400, "invalid_parameter", message, { param: question });
  }
  return parsed.data;
}
