import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { sendRun } from "../../tracking/index.ts";
import { print } from "../terminal/terminal.ts";
import { mlflowAt } from "../tracking/mlflow-at.ts";
import type { MlflowGiven } from "./mlflow-arguments.ts";
import { trackedSubject } from "./tracked-subject.ts";

/** Sends a run or a result, and prints where it is. */
export async function sendToMlflow(given: MlflowGiven): Promise<void> {
  using interrupt = abortOnInterrupt();
  const server = mlflowAt(given.url, { option: "--url", signal: interrupt.signal });
  using subject = await trackedSubject(given.subject, { hasContents: given.contents });
  const { tracked } = subject;
  const sent = await sendRun(server, given.experiment, tracked);
  if (given.json) {
    print(JSON.stringify({ url: server.url, experiment: given.experiment, ...sent }));
    return;
  }
  const { experimentId, runId, candidates, traces } = sent;
  const evaluated = Object.keys(candidates).length;
  print(
    `${sent.wasKnown ? "Completed" : "Sent"}: ${tracked.name}, ${evaluated} candidates, ${traces} traces sent`,
  );
  print(`${server.url.replace(/\/$/, "")}/#/experiments/${experimentId}/runs/${runId}`);
}
