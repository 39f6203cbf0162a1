import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { requiredRedis } from "../arguments/shared-arguments.ts";

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
    const { printWorkers } = await import("./print-workers.ts");
    await printWorkers(given);
  },
});
