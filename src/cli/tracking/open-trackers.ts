import { EspalierError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { Tracker } from "../../tracking/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { mlflowCredentials } from "../arguments/mlflow-credentials.ts";
import type { TrackingGiven } from "../arguments/tracking-arguments.ts";

export interface OpenedTracker {
  /** Part of a sentence. */
  readonly name: string;
  /** Whether `espalier mlflow` can send what it did not. */
  readonly isMlflow: boolean;
  readonly tracker: Tracker;
}

export interface TrackerSettings {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Never sent, wherever they occur. */
  readonly secrets: readonly string[];
}

/**
 * Where the command line and the environment say that the work is shown; nowhere by default.
 *
 * @throws EspalierError `option-invalid`, `usage-invalid`
 */
export async function openTrackers(
  given: TrackingGiven,
  { variables, secrets }: TrackerSettings,
): Promise<readonly OpenedTracker[]> {
  const endpoint = otlpEndpoint(given.otlp, variables);
  if (given.mlflow === undefined && endpoint === undefined) return [];
  // Loaded where it is asked for alone.
  const { mlflow, otlp } = await import("../../tracking/index.ts");
  const hasContents = given["trace-contents"];
  const opened: OpenedTracker[] = [];
  if (given.mlflow !== undefined) {
    const own = mlflowCredentials(variables);
    const tracker = mlflow({
      url: given.mlflow,
      headers: own.headers,
      secrets: [...secrets, ...own.secrets],
      experiment: given["mlflow-experiment"],
      hasContents,
    });
    opened.push({ name: `MLflow at ${withoutCredentials(given.mlflow)}`, isMlflow: true, tracker });
  }
  if (endpoint !== undefined) {
    const headers = otlpHeaders(variables);
    const tracker = otlp({ url: endpoint, headers, secrets, hasContents });
    opened.push({ name: `OTLP at ${withoutCredentials(endpoint)}`, isMlflow: false, tracker });
  }
  return opened;
}

/** How long the end of a command waits for its trackers. */
export function trackingPatienceMs(given: TrackingGiven): number {
  return 1_000 * wholeNumber("tracking-patience", given["tracking-patience"], 0);
}

function otlpEndpoint(
  given: string | undefined,
  variables: TrackerSettings["variables"],
): string | undefined {
  const endpoint = given ?? variables["OTEL_EXPORTER_OTLP_ENDPOINT"];
  return endpoint === "" ? undefined : endpoint;
}

/** `key=value,key=value`, with values percent-encoded, as OpenTelemetry's SDKs read it. */
function otlpHeaders({
  OTEL_EXPORTER_OTLP_HEADERS: given = "",
}: TrackerSettings["variables"]): Readonly<Record<string, string>> {
  const entries = given
    .split(",")
    .filter((entry) => entry.trim() !== "")
    .map((entry): [string, string] => {
      const at = entry.indexOf("=");
      const [name, value] = [entry.slice(0, at).trim().toLowerCase(), entry.slice(at + 1).trim()];
      try {
        if (at > 0 && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [name, decodeURIComponent(value)];
      } catch {
        // Told below, without the value: it is a secret.
      }
      throw new EspalierError({
        code: "usage-invalid",
        problem: "OTEL_EXPORTER_OTLP_HEADERS is malformed",
        expected: "key=value,key=value, with values percent-encoded",
      });
    });
  return Object.fromEntries(entries);
}
