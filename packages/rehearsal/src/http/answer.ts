/** A route's answer before faults are injected. */
export type Answer = {
  /** Runs after the latency of a call has passed, before the first byte is sent. */
  readonly afterLatency?: () => void;
} & (
  | { readonly kind: "json"; readonly status: number; readonly body: unknown }
  /** Server-sent events, each the JSON after `data: `. */
  | { readonly kind: "stream"; readonly events: readonly unknown[] }
);

export function json(body: unknown, status = 200): Answer {
  return { kind: "json", status, body };
}
