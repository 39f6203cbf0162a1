/** Runs in a thread of its own: writes the batches it receives, one at a time. */
import { parentPort, workerData } from "node:worker_threads";
import type { WriteItem, WriterSettings } from "./write-batch.ts";
import { batchWriter } from "./write-batch.ts";

const port = parentPort;
if (port === null) throw new Error("This module is the entry of a worker thread.");
const writer = batchWriter(workerData as WriterSettings);
port.on("message", (message: readonly WriteItem[] | "close") => {
  if (message !== "close") {
    port.postMessage(writer.write(message));
    return;
  }
  writer.close();
  port.close();
});
