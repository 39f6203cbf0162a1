import { EspalierError } from "../../../../src/errors/index.ts";
import type { TrackingServer } from "../server/tracking-server.ts";
import type { TrackedArtifact } from "../tracked/tracked-run.ts";
import type { MlflowRun } from "./mlflow-runs.ts";

/** @throws EspalierError `tracking-failed`, `tracking-refused` */
export async function sendArtifact(
  server: TrackingServer,
  { artifactUri }: MlflowRun,
  { path, type, content }: TrackedArtifact,
): Promise<void> {
  const [scheme, root] = artifactUri.split(":/", 2);
  if (scheme !== "mlflow-artifacts" || root === undefined) {
    throw new EspalierError({
      code: "tracking-refused",
      problem: "The server does not proxy artifacts",
      expected: "artifacts under `mlflow-artifacts:/`",
      got: `\`${artifactUri}\``,
      fix: "Start it with --artifacts-destination, or leave contents out.",
    });
  }
  const folder = root.replace(/^\/+/, "");
  await server.ask({
    method: "PUT",
    path: `/api/2.0/mlflow-artifacts/artifacts/${folder}/${encodeURIComponent(path)}`,
    file: { content, type },
  });
}
