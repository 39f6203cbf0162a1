import { EspalierError } from "../../errors/index.ts";
import type { TrackingServer } from "../../tracking/index.ts";
import { trackingServer } from "../../tracking/index.ts";
import { mlflowCredentials } from "../arguments/mlflow-credentials.ts";
import { serverKey } from "../arguments/server-addresses.ts";

/**
 * The MLflow server that the command line names, or else MLFLOW_TRACKING_URI.
 *
 * @param option that names it, for the error
 * @throws EspalierError `usage-invalid`, `option-invalid`
 */
export function mlflowAt(
  given: string | undefined,
  { option, signal }: { readonly option: string; readonly signal?: AbortSignal },
): TrackingServer {
  const url = given ?? process.env["MLFLOW_TRACKING_URI"] ?? "";
  if (url === "") {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "It is not said which MLflow server is meant",
      expected: `${option} URL, or MLFLOW_TRACKING_URI`,
    });
  }
  const { headers, secrets } = mlflowCredentials(process.env);
  const { apiKey } = serverKey();
  return trackingServer({
    url,
    headers,
    secrets: [...secrets, ...(apiKey === undefined ? [] : [apiKey])],
    ...(signal && { signal }),
  });
}
