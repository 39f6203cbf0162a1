import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { openRegistry } from "../../artifact/files.ts";
import { EspalierError } from "../../errors/index.ts";
import { writeFileAtomic } from "../../storage/index.ts";
import { programArgument, registryArguments, versionArgument } from "./artifact-arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { checkWritable } from "../arguments/check-writable.ts";
import { print, tell } from "../terminal/terminal.ts";
import { isStandIn, standInLabel } from "../../stand-in/index.ts";

const { registry } = registryArguments;
const args = {
  ...programArgument,
  ...versionArgument,
  to: {
    type: "string",
    description: "messages: prompts for any chat API; ax: what ax's applyOptimization() takes",
    valueHint: "messages|ax",
    required: true,
  },
  predictor: {
    type: "string",
    description: "With ax: this predictor alone, for an ax program that is one generator",
    valueHint: "NAME",
  },
  prefix: {
    type: "string",
    description: "With ax: the programs' ids begin with this and a dot, as those of a flow do",
    valueHint: "ID",
  },
  out: { type: "string", description: "File to write instead of printing", valueHint: "FILE" },
  registry,
} as const;

/** `espalier artifact export`: a version for those who run without espalier. Always JSON. */
export const exportSubcommand: AnyCommand = defineCommand({
  meta: { name: "export", description: "Write a version's prompts for use without espalier" },
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    const { to, predictor, prefix, out } = given;
    if (to !== "messages" && to !== "ax") throw unusable("to", "messages or ax", to);
    if (to === "messages" && predictor !== undefined) throw unusable("predictor", "--to ax", to);
    if (to === "messages" && prefix !== undefined) throw unusable("prefix", "--to ax", to);
    await checkWritable("out", out, { isShared: true });
    // The other commands on a registry do not wait for what only this one needs.
    const { axOptimization, plainMessages } = await import("../../artifact/index.ts");
    const { artifact } = await openRegistry(given.registry).resolve(given.program, given.version);
    const { value, notes } = to === "messages" ? asMessages() : asAx();
    const text = JSON.stringify(value, null, 2);
    if (out === undefined) print(text);
    else await writeFileAtomic(out, `${text}\n`, { isShared: true });
    const { warning } = standInLabel(isStandIn(artifact.compiled.lm));
    for (const note of [...notes, warning]) {
      if (note !== "") tell(note);
    }

    function asMessages(): Exported {
      const value = plainMessages(artifact);
      const { notRecorded } = value;
      return {
        value,
        notes: notRecorded.map(
          (name) => `${name} has no recorded input, so its prompt is not known.`,
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
          ? [`Left out, since ax wants an input and an output in each: ${leftOut.join(", ")}.`]
          : [],
      };
    }
  },
});

interface Exported {
  readonly value: object;
  /** What the reader would miss. */
  readonly notes: readonly string[];
}

function unusable(option: string, expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem: option === "to" ? "--to cannot take this value" : `--${option} goes with another --to`,
    expected,
    got: `"${got}"`,
  });
}
