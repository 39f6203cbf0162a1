import type { RunOptions } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { nearestName } from "../internal/index.ts";

/**
 * Wraps an error of user code in one that says where it was thrown; passes on the framework's own
 * errors and aborts.
 */
export function explained(
  thrown: unknown,
  {
    signal,
    exampleId,
    requestId,
    program,
    predictors,
  }: RunOptions & { readonly program: string; readonly predictors: object },
): unknown {
  if (EspalierError.isInstance(thrown) || signal?.aborted === true) return thrown;
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new EspalierError({
    code: "program-failed",
    problem: `The program's own code threw ${text}`,
    where: [
      `program "${program}"`,
      ...(exampleId === undefined ? [] : [`example "${exampleId}"`]),
      ...(requestId === undefined ? [] : [`request "${requestId}"`]),
    ].join(", "),
    ...misspeltPredictor(thrown, Object.keys(predictors)),
    cause: thrown,
  });
}

/** The advice where code called a predictor that the program does not have. */
function misspeltPredictor(thrown: unknown, known: readonly string[]): { readonly fix?: string } {
  if (!(thrown instanceof TypeError)) return {};
  const called = /^predictors\.(\w+) is not a function$/.exec(thrown.message)?.[1];
  if (called === undefined) return {};
  const nearest = nearestName(called, known);
  if (nearest !== undefined) return { fix: `Did you mean \`${nearest}\`?` };
  return { fix: `Call one of its predictors: ${known.map((key) => `\`${key}\``).join(", ")}` };
}

/** An input that does not fit. */
export function inputInvalid(program: string, problem: string): EspalierError {
  return new EspalierError({
    code: "input-invalid",
    problem: `The input does not match its fields: ${problem}`,
    where: `program "${program}"`,
  });
}

/** What a program's own code returned does not fit. */
export function outputInvalid(
  program: string,
  {
    problems,
    returned,
    fields,
  }: {
    readonly problems: readonly string[];
    readonly returned: unknown;
    readonly fields: object;
  },
): EspalierError {
  const given = typeof returned === "object" && returned !== null ? Object.keys(returned) : [];
  const unknown = given.filter((key) => !Object.hasOwn(fields, key));
  return new EspalierError({
    code: "program-failed",
    problem: `The program's output does not match its fields: ${problems.join("; ")}`,
    where: `program "${program}"`,
    ...(unknown.length > 0 && {
      got: `${unknown.map((key) => `\`${key}\``).join(", ")}, which the output does not have`,
    }),
  });
}

export function predictorUnknown(
  program: string,
  got: string,
  known: readonly string[],
): EspalierError {
  return new EspalierError({
    code: "component-unknown",
    problem: `The program "${program}" has no predictor "${got}"`,
    expected: `one of ${known.map((key) => `"${key}"`).join(", ")}`,
  });
}
