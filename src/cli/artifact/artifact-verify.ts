import type { AnyCommand } from "../arguments/arguments.ts";
import type { Registry, VerifyOptions, VersionReport } from "../../artifact/index.ts";
import { openRegistry } from "../../artifact/files.ts";
import { EspalierError } from "../../errors/index.ts";
import { programArgument, registryArguments, versionArgument } from "./artifact-arguments.ts";
import { command } from "../arguments/command.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import { importModule } from "../load/import-module.ts";
import { exportedPrograms, madeOf } from "../load/load-default.ts";
import { unaskedParts } from "../lm/unasked-parts.ts";
import { joinLines, print } from "../terminal/terminal.ts";

/** `espalier artifact verify`: exits with 1 if anything is wrong. */
export const verify: AnyCommand = command({
  meta: { name: "verify", description: "Check files, hashes and program drift" },
  args: {
    ...programArgument,
    version: { ...versionArgument.version, required: false },
    study: {
      type: "string",
      description: "Study or serving file whose program must match the compiled one",
      valueHint: "FILE",
    },
    ...registryArguments,
  },
  run: async (given) => {
    const registry = openRegistry(given.registry);
    const reports = await registry.verify(given.program, await optionsFrom(registry, given));
    print(given.json ? JSON.stringify(reports.map(dataOf)) : textOf(reports));
    if (reports.some(({ problems }) => problems.length > 0)) process.exitCode = exitCodes.failed;
  },
});

async function optionsFrom(
  registry: Registry,
  given: {
    readonly program: string;
    readonly version?: string | undefined;
    readonly study?: string | undefined;
  },
): Promise<VerifyOptions> {
  const { version: name, study } = given;
  // An unknown version fails here, before anything is imported.
  if (name !== undefined) await registry.verify(given.program, { name });
  const program = study === undefined ? undefined : await programIn(study, given.program);
  return {
    ...(name === undefined ? {} : { name }),
    ...(program === undefined ? {} : { program }),
  };
}

async function programIn(study: string, name: string) {
  const exported = await importModule(study);
  const made = await madeOf(exported["default"], await unaskedParts());
  const programs = exportedPrograms({ ...exported, default: made });
  const found = programs.find((program) => program.name === name);
  if (found !== undefined) return found;
  throw new EspalierError({
    code: "study-invalid",
    problem: `"${study}" exports no program with this name`,
    expected: `"${name}"`,
    got: programs.map((program) => `"${program.name}"`).join(", ") || "no programs",
  });
}

function textOf(reports: readonly VersionReport[]): string {
  return joinLines(
    reports.flatMap(({ version, aliases, problems }) => [
      [version, ...aliases, problems.length === 0 ? "valid" : "INVALID"].join("  "),
      ...problems.map(({ code, message }) => `  ${code}: ${message}`),
    ]),
  );
}

function dataOf({ problems, ...report }: VersionReport): object {
  return { ...report, problems: problems.map(({ code, message }) => ({ code, message })) };
}
