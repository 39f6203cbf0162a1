import { setTimeout as delay } from "node:timers/promises";
import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { redisAddress, requiredRedis } from "../arguments/redis-arguments.ts";
import { print } from "../terminal/terminal.ts";

const args = {
  redis: requiredRedis,
  format: {
    type: "enum",
    description: "A table, JSON, or the text that Prometheus reads",
    options: ["table", "json", "metrics"] as ("table" | "json" | "metrics")[],
    default: "table",
  },
  follow: {
    type: "boolean",
    description: "Print again every second, until it is interrupted",
    default: false,
  },
} as const;

/** `espalier workers`: which workers there are, and what they do. */
export const workersSubcommand: AnyCommand = defineCommand({
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    const { workersAt } = await import("../../queue/index.ts");
    const { workersMetrics, workersText } = await import("./workers-text.ts");
    using at = await workersAt(redisAddress(given.redis));
    do {
      const workers = await at.now();
      if (given.format === "json") print(JSON.stringify(workers));
      else print(given.format === "metrics" ? workersMetrics(workers) : workersText(workers));
      if (given.follow) await delay(1_000);
    } while (given.follow);
  },
});
