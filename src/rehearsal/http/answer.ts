/** What a route answers, before faults are played. */
export type Answer = {
  /** What is to happen once the time that a call takes is over, before the first byte. */
  readonly afterLatency?: () => void;
} & (
  | { readonly kind: "json"; readonly status: number; readonly body: unknown }
  /** Server-sent events, each the JSON after `data: `. */
  | { readonly kind: "stream"; readonly events: readonly unknown[] }
);

export function json(body: unknown, status = 200): Answer {
  return { kind: "json", status, body };
}
