import { EspalierError } from "../../errors/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import { isStudy } from "../../study/index.ts";
import type { Exported } from "./import-module.ts";
import { importModule, invalidCode } from "./import-module.ts";
import type { Parts } from "../../servers/index.ts";

/**
 * Imports a file that default-exports what the guard accepts, or a function that makes it of the
 * run's parts.
 *
 * @throws EspalierError `file-missing`; the code of `invalidCode` if the import fails or the
 *   default export is something else. The framework's own errors from inside the file pass through.
 */
export async function loadDefault<TDefault>(
  path: string,
  kind: Exported,
  { guard, parts, takesProgram = false }: DefaultOptions<TDefault>,
): Promise<TDefault> {
  const module = await importModule(path, kind);
  const found = parts === undefined ? module["default"] : await madeOf(module["default"], parts);
  if (guard(found)) return found;
  if (isProgram(found)) {
    throw new EspalierError({
      code: invalidCode(kind),
      problem: `"${path}" default-exports only a program`,
      expected: expected[kind],
      fix: "Put it in a study, with a trainset and an objective. `run`, `show`, `serve` and `batch` also take a program by itself.",
    });
  }
  const exported = Object.keys(module).filter((name) => module[name] !== undefined);
  throw new EspalierError({
    code: invalidCode(kind),
    problem: `"${path}" does not default-export ${kind === "experiment" ? "an" : "a"} ${kind}${takesProgram ? " or a program" : ""}`,
    expected: `${takesProgram ? "`export default program({ ... })`, " : ""}${expected[kind]}`,
    got: exported.length === 0 ? "no exports" : `the exports ${exported.join(", ")}`,
  });
}

interface DefaultOptions<TDefault> {
  readonly guard: (value: unknown) => value is TDefault;
  readonly parts?: Parts;
  /** Whether the guard also accepts a program alone, for the error. @default false */
  readonly takesProgram?: boolean;
}

/** A function is called with the parts; anything else is returned as it is. */
export async function madeOf(exported: unknown, parts: Parts): Promise<unknown> {
  return typeof exported === "function" ? (exported(parts) as unknown) : exported;
}

const expected: Readonly<Record<Exported, string>> = {
  study:
    "`export default study({ name, program, trainset, objective })`, or a function that makes it from the run's parts",
  experiment:
    "`export default experiment({ name, title, source, rows })`, or a function that makes it from the run's parts",
  serving:
    "`export default serving({ name, models })`, or a function that makes it from the run's parts",
  protocol: "an object with `mount(app, context)` as its default export",
};

/**
 * Collects the programs that a module exports: directly, through studies, and through the models of
 * a serving file.
 */
export function exportedPrograms(exported: Readonly<Record<string, unknown>>): TunableProgram[] {
  return Object.values(exported)
    .flatMap((value) => (isStudy(value) ? [value.program] : [value, ...programsOfModels(value)]))
    .filter(isProgram);
}

// Recognizes a serving file by its shape, so that commands that do not serve need not load the
// server.
function programsOfModels(value: unknown): readonly unknown[] {
  const models = memberOf(value, "models");
  return Array.isArray(models) ? models.map((model: unknown) => memberOf(model, "program")) : [];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Whether `program()` made this value; by its shape, since it has no mark. */
export function isProgram(value: unknown): value is TunableProgram {
  if (typeof value !== "object" || value === null) return false;
  const held = value as Partial<Record<keyof TunableProgram, unknown>>;
  return [held.attempt, held.with, held.render, held.components].every(
    (member) => typeof member === "function",
  );
}
