import { EspalierError } from "../../errors/index.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import { command } from "../arguments/command.ts";
import { experimentArguments } from "./experiment-arguments.ts";

/** `espalier experiment`: runs a table of rows under one budget. */
export const experimentSubcommand: AnyCommand = command({
  args: experimentArguments,
  run: async (args, rawArgs) => {
    const { file, list } = args;
    if ((file === undefined) !== list) {
      throw new EspalierError({
        code: "usage-invalid",
        problem: list ? "--list takes no file" : "No experiment is given",
        expected: "the path of a file that default-exports `experiment({ ... })`, or --list",
      });
    }
    if (file === undefined) {
      const { listExperiments } = await import("./list-experiments.ts");
      await listExperiments(args);
    } else {
      const { runExperiment } = await import("./run-experiment.ts");
      await runExperiment(rawArgs, args.resume);
    }
  },
});
