import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { openRegistry, standInsOfArtifact } from "../../artifact/files.ts";
import { EspalierError } from "../../errors/index.ts";
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
  to: {
    type: "string",
    description: "messages: prompts for any chat API; ax: input for ax's applyOptimization()",
    valueHint: "messages|ax",
    required: true,
  },
  predictor: {
    type: "string",
    description: "With ax: export only this predictor, for an ax program of one generator",
    valueHint: "NAME",
  },
  prefix: {
    type: "string",
    description: "With ax: prefix of the program ids, followed by a dot, as in a flow",
    valueHint: "ID",
  },
  out: { type: "string", description: "Write to this file instead of printing", valueHint: "FILE" },
  registry,
} as const;

/**
 * `espalier artifact export`: exports a version for use without espalier. The output is always
 * JSON.
 */
export const exportSubcommand: AnyCommand = defineCommand({
  meta: { name: "export", description: "Export a version's prompts for use without espalier" },
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    const { to, predictor, prefix, out } = given;
    if (to !== "messages" && to !== "ax") throw optionError("to", "messages or ax", to);
    if (to === "messages" && predictor !== undefined) throw optionError("predictor", "--to ax", to);
    if (to === "messages" && prefix !== undefined) throw optionError("prefix", "--to ax", to);
    await checkWritable("out", out, { isShared: true });
    // Imported here, so that the other registry commands do not load it.
    const { axOptimization, plainMessages } = await import("../../artifact/index.ts");
    const { artifact } = await openRegistry(given.registry).resolve(given.program, given.version);
    const { value, notes } = to === "messages" ? asMessages() : asAx();
    const text = JSON.stringify(value, null, 2);
    if (out === undefined) print(text);
    else await writeFileAtomic(out, `${text}\n`, { isShared: true });
    const { warning } = standInLabel(standInsOfArtifact(artifact));
    for (const note of [...notes, warning]) {
      if (note !== "") printToStderr(note);
    }

    function asMessages(): Exported {
      const value = plainMessages(artifact);
      const { notRecorded } = value;
      return {
        value,
        notes: notRecorded.map(
          (name) => `${name} has no recorded input, so its prompt is unknown.`,
        ),
      };
    }

    function asAx(): Exported {
      const value = axOptimization(artifact, {
        ...(predictor === undefined ? {} : { predictors: [predictor] }),
        ...(prefix === undefined ? {} : { idOf: (name) => `${prefix}.${name}` }),
      });
      const { leftOut } = value.espalier;
      const isLess = leftOut.length > 0;
      return {
        value,
        notes: isLess
          ? [`Omitted, because ax requires an input and an output in each: ${leftOut.join(", ")}.`]
          : [],
      };
    }
  },
});

interface Exported {
  readonly value: object;
  /** What the export lacks. */
  readonly notes: readonly string[];
}

function optionError(option: string, expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem:
      option === "to" ? "Invalid value for --to" : `--${option} requires another value of --to`,
    expected,
    got: `"${got}"`,
  });
}
