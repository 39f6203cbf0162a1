import type { AnyCommand } from "../arguments/arguments.ts";
import type { Alias, AliasMove, Registry } from "../../artifact/index.ts";
import { openRegistry } from "../../artifact/files.ts";
import { EspalierError } from "../../errors/index.ts";
import { joinNames } from "../../internal/index.ts";
import {
  aliasOption,
  moveArguments,
  moveText,
  noteFrom,
  programArgument,
  registryArguments,
  versionArgument,
} from "./artifact-arguments.ts";
import { command } from "../arguments/command.ts";
import { print } from "../terminal/terminal.ts";

const alias = {
  type: "string",
  description: "production or candidate",
  valueHint: "ALIAS",
  default: "production",
} as const;

const commonArguments = {
  ...moveArguments,
  mlflow: {
    type: "string",
    description: "Also move the alias of the version's prompts on this MLflow server",
    valueHint: "URL",
  },
  ...registryArguments,
} as const;

/** `espalier artifact promote`: points an alias to a version. */
export const promote: AnyCommand = command({
  meta: { name: "promote", description: "Move a version to production, or make it the candidate" },
  args: { ...programArgument, ...versionArgument, to: alias, ...commonArguments },
  run: async (given) => {
    const name = aliasOption("to", given.to);
    await move(
      given,
      name,
      (registry) => registry.promote(given.program, given.version, name, noteFrom(given)),
      `${name} of ${given.program} is already that version`,
    );
  },
});

/** `espalier artifact rollback`: undoes the last promotion. */
export const rollback: AnyCommand = command({
  meta: { name: "rollback", description: "Undo the last promotion; repeat to go further back" },
  args: { ...programArgument, of: alias, ...commonArguments },
  run: async (given) => {
    const name = aliasOption("of", given.of);
    await move(given, name, (registry) => registry.rollback(given.program, name, noteFrom(given)));
  },
});

/** `espalier artifact withdraw`: clears an alias. */
export const withdraw: AnyCommand = command({
  meta: { name: "withdraw", description: "Clear an alias, for example to end a trial" },
  args: { ...programArgument, of: { ...alias, default: "candidate" }, ...commonArguments },
  run: async (given) => {
    const name = aliasOption("of", given.of);
    await move(
      given,
      name,
      async (registry) => {
        const { [name]: version } = await registry.aliases(given.program);
        if (version !== null) {
          return registry.withdraw(given.program, name, version, noteFrom(given));
        }
        await checkProgram(registry, given.program);
        return null;
      },
      `${name} of ${given.program} is already clear`,
    );
  },
});

/**
 * Moves an alias in the registry, then on the MLflow server if there is one.
 *
 * @param unmoved is printed if the alias is there already
 */
async function move(
  {
    registry: folder,
    mlflow,
    json,
    program,
  }: {
    readonly registry: string;
    readonly mlflow?: string | undefined;
    readonly json: boolean;
    readonly program: string;
  },
  alias: Alias,
  inRegistry: (registry: Registry) => Promise<AliasMove | null>,
  unmoved = "",
): Promise<void> {
  const registry = openRegistry(folder);
  // Opened before the alias moves: what is missing fails before anything has changed.
  const opened =
    mlflow === undefined
      ? undefined
      : await (await import("../load/open-mlflow.ts")).openMlflow(mlflow, { option: "--mlflow" });
  const moved = await inRegistry(registry);
  if (json) print(JSON.stringify(moved));
  else print(moved === null ? unmoved : moveText(moved));
  const place = { registry, program, alias, before: moved?.from };
  await opened?.tracking.alignPrompts(opened.server, place);
}

/** A misspelled program name must not look as if its trial had ended. */
async function checkProgram(registry: Registry, program: string): Promise<void> {
  const programs = await registry.programs();
  if (programs.includes(program)) return;
  throw new EspalierError({
    code: "artifact-unknown",
    problem: "The registry has no such program",
    where: registry.folder,
    expected: joinNames(programs),
    got: `"${program}"`,
  });
}
