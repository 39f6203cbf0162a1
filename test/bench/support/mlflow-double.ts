import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, Worker } from "node:worker_threads";

/** A server on a thread of its own that takes what MLflow takes, and forgets it. */
export async function mlflowDouble(): Promise<AsyncDisposable & { readonly url: string }> {
  const worker = new Worker(new URL(import.meta.url), { execArgv: process.execArgv });
  const port = await new Promise<number>((done, failed) => {
    worker.once("message", done);
    worker.once("error", failed);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

function replyTo(path: string, number: number): object {
  if (path.includes("get-by-name")) return { experiment: { experiment_id: "1" } };
  if (path.includes("runs/create")) {
    const info = { run_id: `run-${number}`, artifact_uri: "mlflow-artifacts:/1", start_time: 1 };
    return { run: { info, data: {} } };
  }
  if (path.includes("model-versions/create")) return { model_version: { version: "1" } };
  return {};
}

if (parentPort !== null) {
  let number = 0;
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    incoming.on("end", () => outgoing.end(JSON.stringify(replyTo(incoming.url ?? "", ++number))));
  });
  server.listen(0, "127.0.0.1", () =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not a window
    parentPort?.postMessage((server.address() as AddressInfo).port),
  );
}
