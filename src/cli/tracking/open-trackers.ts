import { EspalierError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import type { TrackingGiven } from "../arguments/shared-arguments.ts";
import type { Tracker, TrackingPackage } from "../packages/tracking-package.ts";
import { trackingPackage } from "../packages/tracking-package.ts";
import { printToStderr } from "../terminal/terminal.ts";

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
 * @throws EspalierError `option-invalid`, `usage-invalid`, also where the package is not installed
 */
export async function openTrackers(
  given: TrackingGiven,
  { variables, secrets }: TrackerSettings,
): Promise<readonly OpenedTracker[]> {
  const endpoint = otlpEndpoint(given.otlp, variables);
  if (given.mlflow === undefined && endpoint === undefined) return [];
  const tracking = await packageFor(given);
  if (tracking === undefined) return [];
  const hasContents = given["trace-contents"];
  const opened: OpenedTracker[] = [];
  if (given.mlflow !== undefined) {
    const own = tracking.mlflowCredentials(variables);
    const tracker = tracking.mlflow({
      url: given.mlflow,
      headers: own.headers,
      secrets: [...secrets, ...own.secrets],
      experiment: given["mlflow-experiment"],
      hasContents,
    });
    opened.push({ name: `MLflow at ${withoutCredentials(given.mlflow)}`, isMlflow: true, tracker });
  }
  if (endpoint !== undefined) {
    const headers = tracking.otlpHeaders(variables);
    const tracker = tracking.otlp({ url: endpoint, headers, secrets, hasContents });
    opened.push({ name: `OTLP at ${withoutCredentials(endpoint)}`, isMlflow: false, tracker });
  }
  return opened;
}

/**
 * A variable of the environment is often meant for other programs, so without the
 * package it alone is no error.
 */
async function packageFor({ mlflow, otlp }: TrackingGiven): Promise<TrackingPackage | undefined> {
  try {
    return await trackingPackage();
  } catch (error) {
    const isAsked = mlflow !== undefined || otlp !== undefined;
    if (isAsked || !EspalierError.isInstance(error)) throw error;
    printToStderr(
      "Nothing is sent to OTEL_EXPORTER_OTLP_ENDPOINT: package `@espalier/tracking` is not installed",
    );
    return undefined;
  }
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
