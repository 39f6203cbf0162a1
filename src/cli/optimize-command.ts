import { defineCommand, parseArgs } from "citty";
import type { AnyCommand } from "./arguments.ts";
import { checkArguments } from "./check-arguments.ts";
import { optimizeArguments } from "./optimize-arguments.ts";
import { planText } from "./plan-text.ts";
import { prepareOptimization } from "./prepare-optimization.ts";
import { withRememberedOptions } from "./remembered-options.ts";
import { runOptimization } from "./run-optimization.ts";

/** `espalier optimize`: better components for a study's program, and what the test split says of them. */
export const optimizeSubcommand: AnyCommand = defineCommand({
  args: optimizeArguments,
  run: async ({ args, rawArgs }) => {
    checkArguments(rawArgs, optimizeArguments);
    const words = await withRememberedOptions(rawArgs, args.resume);
    const given = parseArgs<typeof optimizeArguments>([...words], optimizeArguments);
    const prepared = await prepareOptimization(given);
    const { study, plan, budget, repeats } = prepared;
    console.error(planText(plan, { budget, testSize: study.trainset.splits.test.length, repeats }));
    if (!given.plan) await runOptimization(prepared, words);
    else if (given.json) console.log(JSON.stringify({ study: study.name, budget, plan }));
  },
});
