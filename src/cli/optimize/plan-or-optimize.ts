import { parseArgs } from "citty";
import { optimizeArguments } from "./optimize-arguments.ts";
import { planText } from "./plan-text.ts";
import { prepareOptimization } from "./prepare-optimization.ts";
import { withRememberedOptions } from "./remembered-options.ts";
import { runOptimization } from "./run-optimization.ts";
import { print, tell } from "../terminal/terminal.ts";

/** Prints the plan of what the words ask for and, if not only that is wanted, carries it out. */
export async function planOrOptimize(
  rawArgs: readonly string[],
  resumed: string | undefined,
): Promise<void> {
  const words = await withRememberedOptions(rawArgs, resumed);
  const given = parseArgs<typeof optimizeArguments>([...words], optimizeArguments);
  const prepared = await prepareOptimization(given);
  const { study, plan, budget, repeats } = prepared;
  tell(planText(plan, { budget, testSize: study.trainset.splits.test.length, repeats }));
  if (!given.plan) await runOptimization(prepared, words);
  else if (given.json) print(JSON.stringify({ study: study.name, budget, plan }));
}
