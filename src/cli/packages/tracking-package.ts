import { optionalPackage } from "./optional-package.ts";

export type {
  EvaluationListener,
  SearchListener,
  TrackedArtifact,
  TrackedRun,
  Tracker,
  TrackingServer,
} from "@espalier/tracking";

export type TrackingPackage = typeof import("@espalier/tracking");

/**
 * MLflow and OTLP, a package of its own.
 *
 * @throws EspalierError `usage-invalid` where it is not installed
 */
export function trackingPackage(): Promise<TrackingPackage> {
  return optionalPackage(() => import("@espalier/tracking"), {
    name: "@espalier/tracking",
    brings: "Support for MLflow and OTLP",
  });
}
