import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { add } from "./artifact-add.ts";
import { diff } from "./artifact-diff.ts";
import { exportSubcommand } from "./artifact-export.ts";
import { list } from "./artifact-list.ts";
import { promote, rollback, withdraw } from "./artifact-move.ts";
import { show } from "./artifact-show.ts";
import { verify } from "./artifact-verify.ts";

/** `espalier artifact`: manages the registry of compiled programs. */
export const artifactSubcommand: AnyCommand = defineCommand({
  subCommands: {
    list,
    show,
    diff,
    add,
    promote,
    rollback,
    withdraw,
    verify,
    export: exportSubcommand,
  },
});
