import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { openRegistry, standInsOfArtifact } from "../../artifact/files.ts";
import { writeFileAtomic } from "../../storage/index.ts";
import { programArgument, registryArguments, versionArgument } from "./artifact-arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { checkWritable } from "../arguments/check-writable.ts";
import { print, printToStderr } from "../terminal/terminal.ts";
import { standInLabel } from "../../stand-in/index.ts";

const { registry } = registryArguments;
const args = {
  ...programArgument,
  ...versionArgument,
  out: { type: "string", description: "Write to this file instead of printing", valueHint: "FILE" },
  registry,
} as const;

/**
 * `espalier artifact export`: exports the prompts of a version for any chat API. The output is
 * always JSON.
 */
export const exportSubcommand: AnyCommand = defineCommand({
  meta: { name: "export", description: "Export a version's prompts for use without espalier" },
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    const { out } = given;
    await checkWritable("out", out, { isShared: true });
    // Imported here, so that the other registry commands do not load it.
    const { plainMessages } = await import("../../artifact/index.ts");
    const { artifact } = await openRegistry(given.registry).resolve(given.program, given.version);
    const value = plainMessages(artifact);
    const text = JSON.stringify(value, null, 2);
    if (out === undefined) print(text);
    else await writeFileAtomic(out, `${text}\n`, { isShared: true });
    for (const name of value.notRecorded) {
      printToStderr(`${name} has no recorded input, so its prompt is unknown.`);
    }
    const { warning } = standInLabel(standInsOfArtifact(artifact));
    if (warning !== "") printToStderr(warning);
  },
});
