import type { Ledger } from "../../ledger/index.ts";
import { counter, gauge, histogram } from "../../internal/index.ts";

/** The server's counters, in Prometheus' text format (0.0.4). */
export interface ServerMetrics {
  /** @param model a served id, or `unknown`: never the client's own text, which has no bound */
  chatEnded(chat: {
    readonly model: string;
    /** Version of the model's program; there are as many as there are artifacts. */
    readonly version: string;
    readonly status: number;
    readonly durationMs: number;
  }): void;
  /** Counts a request that was refused or not understood. */
  refused(request: { readonly status: number; readonly code: string }): void;
  text(now: { readonly running: number; readonly waiting: number }): string;
}

/**
 * @param costs costs of all LM calls
 * @param more lines of other parts, collected at each scrape
 */
export function serverMetrics(
  costs: Ledger,
  more: () => readonly string[] = () => [],
): ServerMetrics {
  const chats = counter({
    name: "espalier_chats_total",
    help: "Questions by model, version and HTTP status; 499 means that the client disconnected.",
  });
  const durations = histogram({
    name: "espalier_chat_duration_seconds",
    help: "Time from the request to the complete answer, including the wait in the queue.",
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640],
  });
  const refusals = counter({
    name: "espalier_refused_requests_total",
    help: "Requests answered with an error, by HTTP status and code.",
  });
  return {
    refused: ({ status, code }) => refusals.add({ status: String(status), code }),
    chatEnded: ({ model, version, status, durationMs }) => {
      chats.add({ model, version, status: String(status) });
      durations.observe({ model, version }, durationMs / 1_000);
    },
    text: ({ running, waiting }) =>
      [
        ...chats.lines(),
        ...durations.lines(),
        ...refusals.lines(),
        ...gauge({ name: "espalier_chats_running", help: "Questions being answered." }, running),
        ...gauge({ name: "espalier_chats_waiting", help: "Questions in the queue." }, waiting),
        ...lmLines(costs),
        ...more(),
        "",
      ].join("\n"),
  };
}

/** Read from the ledger, so that they agree with every other report. */
function lmLines(costs: Ledger): readonly string[] {
  const calls = counter({ name: "espalier_lm_calls_total", help: "LM calls, by role." });
  const failed = counter({
    name: "espalier_lm_failed_calls_total",
    help: "LM calls without a reply, by role.",
  });
  const retries = counter({
    name: "espalier_lm_retries_total",
    help: "LM requests repeated after a fault, by role.",
  });
  const tokens = counter({
    name: "espalier_lm_tokens_total",
    help: "Tokens billed by LMs, by role and kind.",
  });
  for (const [role, { billed }] of Object.entries(costs.snapshot().byRole)) {
    calls.add({ role }, billed.calls);
    failed.add({ role }, billed.failedCalls);
    retries.add({ role }, billed.retries ?? 0);
    tokens.add({ role, kind: "prompt" }, billed.promptTokens);
    tokens.add({ role, kind: "completion" }, billed.completionTokens);
  }
  return [...calls.lines(), ...failed.lines(), ...retries.lines(), ...tokens.lines()];
}
