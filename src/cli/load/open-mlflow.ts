import { EspalierError } from "../../errors/index.ts";
import { serverKey } from "../arguments/server-addresses.ts";
import type { TrackingPackage, TrackingServer } from "../packages/tracking-package.ts";
import { trackingPackage } from "../packages/tracking-package.ts";

/**
 * The MLflow server that the command line names, or else MLFLOW_TRACKING_URI, and the package that
 * speaks to it.
 *
 * @param option that names it, for the error
 * @throws EspalierError `usage-invalid` where none is named or the package is not installed,
 *   `option-invalid`
 */
export async function openMlflow(
  given: string | undefined,
  { option, signal }: { readonly option: string; readonly signal?: AbortSignal },
): Promise<{ readonly server: TrackingServer; readonly tracking: TrackingPackage }> {
  const url = given ?? process.env["MLFLOW_TRACKING_URI"] ?? "";
  if (url === "") {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "No MLflow server is given",
      expected: `${option} URL, or MLFLOW_TRACKING_URI`,
    });
  }
  const tracking = await trackingPackage();
  const { headers, secrets } = tracking.mlflowCredentials(process.env);
  const { apiKey } = serverKey();
  const server = tracking.trackingServer({
    url,
    headers,
    secrets: [...secrets, ...(apiKey === undefined ? [] : [apiKey])],
    ...(signal && { signal }),
  });
  return { server, tracking };
}
