import { defineCommand } from "citty";
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
import { checkArguments } from "../arguments/check-arguments.ts";
import { print } from "../terminal/terminal.ts";

/** For commands that move an alias. */
const aliasInMlflowArguments = {
  mlflow: {
    type: "string",
    description: "Move the alias of the version's prompts on this MLflow server too",
    valueHint: "URL",
  },
} as const;

const alias = {
  type: "string",
  description: "production or candidate",
  valueHint: "ALIAS",
  default: "production",
} as const;

const promoteArguments = {
  ...programArgument,
  ...versionArgument,
  to: alias,
  ...moveArguments,
  ...aliasInMlflowArguments,
  ...registryArguments,
} as const;

/** `espalier artifact promote`: points an alias to a version. */
export const promote: AnyCommand = defineCommand({
  meta: { name: "promote", description: "Move a version to production, or make it the candidate" },
  args: promoteArguments,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, promoteArguments);
    const name = aliasOption("to", given.to);
    const registry = openRegistry(given.registry);
    const follow = await aliasInMlflow(given.mlflow);
    const move = await registry.promote(given.program, given.version, name, noteFrom(given));
    printMove(given.json, move, `${name} of ${given.program} is already that version`);
    const place = { registry, program: given.program, alias: name, before: move?.from };
    await follow(place);
  },
});

const rollbackArguments = {
  ...programArgument,
  of: alias,
  ...moveArguments,
  ...aliasInMlflowArguments,
  ...registryArguments,
} as const;

/** `espalier artifact rollback`: undoes the last promotion. */
export const rollback: AnyCommand = defineCommand({
  meta: { name: "rollback", description: "Undo the last promotion; repeat to go further back" },
  args: rollbackArguments,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, rollbackArguments);
    const name = aliasOption("of", given.of);
    const registry = openRegistry(given.registry);
    const follow = await aliasInMlflow(given.mlflow);
    const move = await registry.rollback(given.program, name, noteFrom(given));
    printMove(given.json, move, "");
    const place = { registry, program: given.program, alias: name, before: move.from };
    await follow(place);
  },
});

const withdrawArguments = {
  ...programArgument,
  of: { ...alias, default: "candidate" },
  ...moveArguments,
  ...aliasInMlflowArguments,
  ...registryArguments,
} as const;

/** `espalier artifact withdraw`: clears an alias. */
export const withdraw: AnyCommand = defineCommand({
  meta: { name: "withdraw", description: "Clear an alias, for example to end a trial" },
  args: withdrawArguments,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, withdrawArguments);
    const name = aliasOption("of", given.of);
    const registry = openRegistry(given.registry);
    const follow = await aliasInMlflow(given.mlflow);
    const { [name]: version } = await registry.aliases(given.program);
    if (version === null) await checkProgram(registry, given.program);
    const move =
      version === null
        ? null
        : await registry.withdraw(given.program, name, version, noteFrom(given));
    printMove(given.json, move, `${name} of ${given.program} is already clear`);
    const place = { registry, program: given.program, alias: name, before: move?.from };
    await follow(place);
  },
});

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

function printMove(isJson: boolean, move: AliasMove | null, unmoved: string): void {
  if (isJson) print(JSON.stringify(move));
  else print(move === null ? unmoved : moveText(move));
}

/** Where the registry has the alias now. */
interface AliasPlace {
  readonly registry: Registry;
  readonly program: string;
  readonly alias: Alias;
  /** The version that had it. */
  readonly before?: string | null | undefined;
}

/**
 * Opened before the alias moves: what is missing fails before anything has changed.
 *
 * @returns moves the alias of the program's prompts on the MLflow server; without a server, nothing
 * @throws EspalierError `usage-invalid`, `option-invalid`
 */
async function aliasInMlflow(
  url: string | undefined,
): Promise<(place: AliasPlace) => Promise<void>> {
  if (url === undefined) return async () => {};
  const { openMlflow } = await import("../load/open-mlflow.ts");
  const { server, tracking } = await openMlflow(url, { option: "--mlflow" });
  return (place) => tracking.alignPrompts(server, place);
}
