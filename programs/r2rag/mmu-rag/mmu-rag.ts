import type { Question, ServeContext, ProtocolAdapter } from "espalier/serve";
import { answerStream, ApiError, eventStreamHeaders, invalidParameter } from "espalier/serve";
import { z } from "zod";
import { batchRows } from "./batch-rows.ts";
import { failedLine, resultLine } from "./result-line.ts";
import type { RunEvent } from "./run-report.ts";
import { runReport } from "./run-report.ts";

const runBody = z.object({ question: z.string() });
const evaluateBody = z.object({
  query: z.string(),
  iid: z.union([z.string().max(1_000), z.number()]),
});

/**
 * `POST /run` and `POST /evaluate` of the MMU-RAG competition, the fields that its harness reads
 * from `GET /health`, and its rows for `espalier batch`. The protocol names no model, so one model
 * answers every question; there are no conversations.
 *
 * @param model id of the model, with or without a version
 */
export function mmuRag({ model: name }: { readonly model: string }): ProtocolAdapter {
  return {
    health: { status: "healthy", systems: [name] },
    models: [name],
    batch: batchRows,
    mount: (app, context) => {
      app.post("/run", async (c) => {
        const { question } = read(runBody, await context.readJson(c.req.raw), "question");
        const asked = await questionOf(context, { name, question, prefix: "run" }, c.req.raw);
        try {
          return c.body(streamedRun(context, { ...asked, request: c.req.raw }), 200, {
            ...eventStreamHeaders,
            "cache-control": "no-cache",
            connection: "keep-alive",
            "x-request-id": asked.id,
          });
        } catch (error) {
          throw error instanceof ApiError ? error.about(paramOf(error, "question")) : error;
        }
      });

      app.post("/evaluate", async (c) => {
        try {
          const body = await context.readJson(c.req.raw);
          const { query, iid } = read(evaluateBody, body, "query");
          const wanted = { name, question: query, prefix: "evaluate" };
          const asked = await questionOf(context, wanted, c.req.raw);
          c.header("x-request-id", asked.id);
          const start = context.ask({ ...asked, signal: c.req.raw.signal });
          if (start.state === "refused") throw start.error;
          const ended = await start.outcome;
          if (ended.state === "answered") return c.json(resultLine(iid, ended.outcome));
          if (ended.state !== "refused") return c.body(null, 400);
          // Only a run that began counts as failed on its query; a question that the server refused
          // may be sent again.
          if (ended.outcome === null) throw ended.error;
          return c.json(failedLine(iid, ended.error.message));
        } catch (error) {
          throw error instanceof ApiError
            ? new DetailedError(error.about(paramOf(error, "query")))
            : error;
        }
      });
    },
  };
}

async function questionOf(
  context: ServeContext,
  {
    name,
    question,
    prefix,
  }: { readonly name: string; readonly question: string; readonly prefix: string },
  request: Request,
): Promise<Omit<Question, "signal">> {
  const model = await context.models.resolve(name);
  const id = context.newId(prefix);
  const apiKey = context.keyNameOf(request);
  return { model, question, history: [], id, ...(apiKey !== undefined && { apiKey }) };
}

/** Streams a run's events up to a complete one, without a final `[DONE]`. */
function streamedRun(
  context: ServeContext,
  asked: Omit<Question, "signal"> & { readonly request: Request },
): ReadableStream<Uint8Array> {
  return answerStream(context, asked, (sendText) => {
    const send = (event: RunEvent): void => sendText(JSON.stringify(event));
    const report = runReport();
    return {
      event: (event) => {
        if (event.kind === "restarted") send(report.restart());
        else send(report[event.kind](event.text));
      },
      end: (ended) => {
        if (ended.state === "answered") {
          const { answer, citations } = ended.outcome;
          send(report.complete({ answer, citations: citations.map(({ url }) => url) }));
        } else if (ended.state === "refused") send(report.fail(ended.error.message));
      },
    };
  });
}

/** A conversation's messages correspond to a single text here. */
function paramOf({ param }: ApiError, question: string): string | null {
  return param === "messages" ? question : param;
}

/** Adds FastAPI's `detail`, which the harness reads, to the standard error body. */
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
