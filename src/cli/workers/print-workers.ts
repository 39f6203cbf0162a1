import { setTimeout as delay } from "node:timers/promises";
import { workersPackage } from "../packages/workers-package.ts";
import { redisAddress } from "../arguments/redis-arguments.ts";
import { print } from "../terminal/terminal.ts";
import { workersMetrics, workersText } from "./workers-text.ts";

/** Prints the workers and runs of a Redis once, or every second until it is interrupted. */
export async function printWorkers({
  redis,
  format,
  follow,
}: {
  readonly redis: string;
  readonly format: "table" | "json" | "metrics";
  readonly follow: boolean;
}): Promise<void> {
  const { workersAt } = await workersPackage();
  using at = await workersAt(redisAddress(redis));
  do {
    const present = await at.now();
    if (format === "json") print(JSON.stringify(present));
    else print(format === "metrics" ? workersMetrics(present) : workersText(present));
    if (follow) await delay(1_000);
  } while (follow);
}
