import type { ArgsDef } from "citty";
import { EspalierError } from "../../errors/index.ts";
import { renamedOptions } from "./renamed-options.ts";

/**
 * Refuses what the parser would let pass: options that the command does not know, options without
 * a value, and words too many. A misspelt `--concurrency` would go unnoticed, and an `--out` without
 * a path would be seen only when there is a result to lose.
 *
 * @throws EspalierError `usage-invalid`
 */
export function checkArguments(rawArgs: readonly string[], known: ArgsDef): void {
  const options = Object.keys(known).filter((name) => known[name]?.type !== "positional");
  const words: string[] = [];
  for (let place = 0; place < rawArgs.length; place += 1) {
    const argument = rawArgs[place] ?? "";
    if (argument === "--") {
      words.push(...rawArgs.slice(place + 1));
      break;
    }
    if (argument === "-" || !argument.startsWith("-")) {
      words.push(argument);
      continue;
    }
    const [, negation, name = "", assigned] = /^--(no-)?([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
    const isSwitch = known[name]?.type === "boolean";
    if (!options.includes(name) || (negation !== undefined && !isSwitch)) {
      const renamed = renamedOptions[name];
      throw new EspalierError({
        code: "usage-invalid",
        problem: `There is no option ${argument.replace(/=.*/s, "")}`,
        ...(renamed !== undefined && { fix: `It is now ${renamed}.` }),
        expected: options.map((option) => `--${option}`).join(", "),
      });
    }
    if (isSwitch) continue;
    refuseMissingValue(name, assigned ?? rawArgs[place + 1]);
    if (assigned === undefined) place += 1;
  }
  const places = Object.keys(known).length - options.length;
  if (words.length > places) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "There are words that the command does not know what to do with",
      got: words.slice(places).join(" "),
      fix: "Put a value with spaces in quotes",
    });
  }
}

/** `--out --json` has no value: nothing that an option takes begins with two dashes. */
function refuseMissingValue(option: string, value: string | undefined): void {
  if (value !== undefined && value.trim() !== "" && !value.startsWith("--")) return;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `--${option} needs a value`,
    got: value === undefined || value.trim() === "" ? "nothing" : value,
  });
}
