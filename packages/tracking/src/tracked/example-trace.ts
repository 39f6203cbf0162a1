import { withoutImages } from "../../../../src/internal/index.ts";
import type { Json, Trace } from "../../../../src/contract/index.ts";
import type { LmOf } from "./trace-spans.ts";
import { traceSpans } from "./trace-spans.ts";
import type { TrackedExample } from "./tracked-run.ts";

/** What one run on an example did, and when. */
export interface ExampleTrace extends Pick<
  TrackedExample,
  "outputs" | "latencyMs" | "failed" | "spans" | "feedback"
> {
  readonly startedAtMs: number | null;
  /** Absent if not asked for. */
  readonly inputs?: Json;
}

export interface ExampleTraceOptions {
  /** Whether inputs, outputs, messages and feedback are included. */
  readonly hasContents: boolean;
  readonly lmOf?: LmOf;
  readonly failed: boolean;
  readonly feedback?: string | undefined;
}

export function exampleTrace(
  given: Trace,
  { hasContents, lmOf, failed, feedback }: ExampleTraceOptions,
): ExampleTrace {
  // Servers of traces have limits, and show no picture out of JSON.
  const trace = withoutImages(given);
  // Results written before traces had times have none.
  const { startedAtMs = null } = trace as Partial<Pick<Trace, "startedAtMs">>;
  return {
    startedAtMs,
    latencyMs: trace.latencyMs,
    failed,
    spans: traceSpans(trace, { hasContents, ...(lmOf && { lmOf }) }),
    ...(hasContents && {
      inputs: trace.input,
      ...(trace.output !== undefined && { outputs: trace.output }),
      ...(feedback !== undefined && { feedback }),
    }),
  };
}

/** The same without any text of the data. */
export function withoutContents({
  startedAtMs,
  latencyMs,
  failed,
  spans,
}: ExampleTrace): ExampleTrace {
  return {
    startedAtMs,
    latencyMs,
    failed,
    spans: spans.map(({ inputs: _inputs, outputs: _outputs, ...span }) => span),
  };
}
