import { defineCommand } from "citty";
import { openServeState, rolloutJson, rolloutReports } from "../../serve/files.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import { jsonArgument } from "../arguments/arguments.ts";
import { command } from "../arguments/command.ts";
import { rolloutText } from "./rollout-text.ts";
import { stateFile } from "./serve-rollout.ts";
import { print } from "../terminal/terminal.ts";

const show = command({
  meta: {
    name: "show",
    description: "Show the candidates that were tried and the evidence so far",
  },
  args: {
    state: {
      type: "string",
      description: "State folder of `espalier serve`: .espalier/serve/NAME",
      valueHint: "FOLDER",
      required: true,
    },
    ...jsonArgument,
  },
  run: (given) => {
    using state = openServeState(stateFile(given.state), { isReadOnly: true });
    const reports = rolloutReports(state)();
    if (given.json) print(JSON.stringify({ rollouts: reports.map(rolloutJson) }));
    else print(rolloutText(reports));
  },
});

/** `espalier rollout`: candidates on trial. */
export const rolloutSubcommand: AnyCommand = defineCommand({
  subCommands: { show },
});
