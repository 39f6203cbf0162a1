import type { ArgsDef, ParsedArgs } from "citty";
import { defineCommand } from "citty";
import { EspalierError } from "../../errors/index.ts";
import { nearestName } from "../../internal/index.ts";
import type { AnyCommand } from "./arguments.ts";

/**
 * A command that checks its arguments before it runs.
 *
 * @param options.takesMany whether the last positional argument may be repeated
 */
export function command<TArgs extends ArgsDef>({
  meta,
  args,
  takesMany = false,
  run,
}: {
  readonly meta?: { readonly name: string; readonly description: string };
  readonly args: TArgs;
  readonly takesMany?: boolean;
  readonly run: (given: ParsedArgs<TArgs>, rawArgs: readonly string[]) => void | Promise<void>;
}): AnyCommand {
  return defineCommand({
    ...(meta && { meta }),
    args,
    run: async ({ args: given, rawArgs }) => {
      checkArguments(rawArgs, args, takesMany);
      await run(given, rawArgs);
    },
  });
}

/**
 * Rejects what the parser accepts silently: unknown options, options without a value or given
 * twice, and extra positional arguments. Otherwise a misspelled `--concurrency` would go unnoticed,
 * and an `--out` without a path would surface only after the work is done.
 *
 * @throws EspalierError `usage-invalid`
 */
function checkArguments(rawArgs: readonly string[], known: ArgsDef, takesMany: boolean): void {
  const options = Object.keys(known).filter((name) => known[name]?.type !== "positional");
  const words: string[] = [];
  const given = new Set<string>();
  for (let index = 0; index < rawArgs.length; index += 1) {
    const argument = rawArgs[index] ?? "";
    if (argument === "--") {
      words.push(...rawArgs.slice(index + 1));
      break;
    }
    if (argument === "-" || !argument.startsWith("-")) {
      words.push(argument);
      continue;
    }
    const [, negation, name = "", assigned] = /^--(no-)?([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
    const isSwitch = known[name]?.type === "boolean";
    if (!options.includes(name) || (negation !== undefined && !isSwitch)) {
      const nearest = nearestName(name, options);
      throw new EspalierError({
        code: "usage-invalid",
        problem: `Unknown option ${argument.replace(/=.*/s, "")}`,
        ...(nearest !== undefined
          ? { fix: `Did you mean --${nearest}?` }
          : {
              expected: options
                .map((option) =>
                  known[option]?.default === true ? `--no-${option}` : `--${option}`,
                )
                .join(", "),
            }),
      });
    }
    if (isSwitch) continue;
    requireValue(name, assigned ?? rawArgs[index + 1]);
    if (given.has(name)) throw repeated(name);
    given.add(name);
    if (assigned === undefined) index += 1;
  }
  const places = Object.keys(known).length - options.length;
  if (words.length > places && !takesMany) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "Too many arguments",
      got: words.slice(places).join(" "),
      fix: "Quote values that contain spaces",
    });
  }
}

/** In `--out --json`, `--out` has no value: option values never start with two dashes. */
function requireValue(option: string, value: string | undefined): void {
  if (value !== undefined && value.trim() !== "" && !value.startsWith("--")) return;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `--${option} needs a value`,
    got: value === undefined || value.trim() === "" ? "nothing" : value,
  });
}

function repeated(option: string): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem: `--${option} is given twice`,
    expected: "each option once",
    fix: "If the option takes a list, separate the values with commas.",
  });
}
