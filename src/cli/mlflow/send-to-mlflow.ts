import { EspalierError } from "../../errors/index.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { serverKey } from "../arguments/server-addresses.ts";
import type { MlflowServer } from "../../tracking/index.ts";
import { mlflowServer, sendRun } from "../../tracking/index.ts";
import { print } from "../terminal/terminal.ts";
import type { MlflowGiven } from "./mlflow-arguments.ts";
import { trackedSubject } from "./tracked-subject.ts";

/** Sends a run or a result, and prints where it is. */
export async function sendToMlflow(given: MlflowGiven): Promise<void> {
  using interrupt = abortOnInterrupt();
  const server = openServer(given.url, interrupt.signal);
  const tracked = await trackedSubject(given.subject, { hasContents: given.contents });
  const sent = await sendRun(server, given.experiment, tracked);
  if (given.json) {
    print(JSON.stringify({ url: server.url, experiment: given.experiment, ...sent }));
    return;
  }
  const { experimentId, runId, candidates, traces } = sent;
  const evaluated = Object.keys(candidates).length;
  print(
    `${sent.wasKnown ? "Completed" : "Sent"}: ${tracked.name}, ${evaluated} candidates, ${traces} traces`,
  );
  print(`${server.url.replace(/\/$/, "")}/#/experiments/${experimentId}/runs/${runId}`);
}

function openServer(given: string | undefined, signal: AbortSignal): MlflowServer {
  const url = given ?? process.env["MLFLOW_TRACKING_URI"];
  if (url === undefined) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "It is not said which MLflow server to send to",
      expected: "--url URL, or MLFLOW_TRACKING_URI",
    });
  }
  const authorization = authorizationOf(process.env);
  const { apiKey } = serverKey();
  return mlflowServer({
    url,
    signal,
    ...(authorization && { authorization: authorization.header }),
    secrets: [...(authorization?.secrets ?? []), ...(apiKey === undefined ? [] : [apiKey])],
  });
}

/** The variables that MLflow's own clients read. */
function authorizationOf(
  variables: Readonly<Record<string, string | undefined>>,
): { readonly header: string; readonly secrets: readonly string[] } | undefined {
  const { MLFLOW_TRACKING_TOKEN: token } = variables;
  const { MLFLOW_TRACKING_USERNAME: user, MLFLOW_TRACKING_PASSWORD: password } = variables;
  if (user !== undefined && password !== undefined) {
    const pair = Buffer.from(`${user}:${password}`).toString("base64");
    return { header: `Basic ${pair}`, secrets: [password] };
  }
  return token === undefined ? undefined : { header: `Bearer ${token}`, secrets: [token] };
}
