import type { Context } from "hono";
import { linkedAbort } from "../../internal/index.ts";
import { eventStream, eventStreamHeaders } from "../protocol/event-stream.ts";
import type { ServeContext } from "../protocol/serve-context.ts";
import type { ServedModel } from "../model/served-model.ts";
import type { RunEvent } from "./run-report.ts";
import { runReport } from "./run-report.ts";

/** A run as it goes: events until one is complete, and no `[DONE]` after it. */
export function streamedRun(
  c: Context,
  {
    model,
    question,
    context,
    apiKey,
  }: {
    readonly model: ServedModel;
    readonly question: string;
    readonly context: ServeContext;
    readonly apiKey: string | undefined;
  },
): Response {
  const id = context.newId("run");
  const gone = linkedAbort([c.req.raw.signal]);
  const stream = eventStream({ keepAliveMs: context.keepAliveMs, onCancel: () => gone.abort() });
  const send = (event: RunEvent): void => stream.send(JSON.stringify(event));
  const report = runReport();

  // Before the first byte: a full queue is still answered with a status.
  const asking = context.ask({
    model,
    question,
    history: [],
    id,
    ...(apiKey !== undefined && { apiKey }),
    signal: gone.signal,
    onEvent: (event) => {
      if (event.kind === "restarted") send(report.restart());
      else send(report[event.kind](event.text));
    },
  });
  const conclude = async (): Promise<void> => {
    const asked = await asking;
    gone.release();
    if (asked.state === "answered") {
      const { answer, citations } = asked.outcome;
      send(report.complete({ answer, citations: citations.map(({ url }) => url) }));
    } else if (asked.state === "refused") send(report.fail(asked.error.message));
    stream.close();
  };
  void conclude();
  return c.body(stream.open(), 200, {
    ...eventStreamHeaders,
    "cache-control": "no-cache",
    connection: "keep-alive",
    "x-request-id": id,
  });
}
