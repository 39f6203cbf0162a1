import type { ClientTools } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { Predictors } from "./call.ts";
import type { Predictor } from "./predictor/predictor.ts";

interface OfPredictors {
  readonly predictors: Predictors;
}

/** The predictors that take tools of who runs the program; at most one in a program. */
export function takersOfClientTools({ predictors }: OfPredictors): readonly Predictor[] {
  return Object.values<Predictor>(predictors).filter(
    ({ settings }) => settings.agent?.clientTools === true,
  );
}

/** Why tools cannot be brought to a program, and which of them is at fault; `null` if they can. */
export function clientToolsProblem(
  program: OfPredictors,
  tools: ClientTools["tools"],
): { readonly index: number; readonly problem: string } | null {
  const own = new Set(
    takersOfClientTools(program)
      .flatMap(({ driver }) => driver.tools ?? [])
      .map(({ name }) => name),
  );
  const seen = new Set<string>();
  for (const [index, { name }] of tools.entries()) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
      return { index, problem: "expected a name of 1 to 64 letters, digits, `_` and `-`" };
    }
    if (own.has(name)) return { index, problem: `the program has a tool \`${name}\` of its own` };
    if (seen.has(name)) return { index, problem: `there are two tools \`${name}\`` };
    seen.add(name);
  }
  return null;
}

/** @throws EspalierError `option-invalid` */
export function checkClientTools(
  program: OfPredictors & { readonly name: string },
  { tools }: ClientTools,
): void {
  const invalid = (expected: string, got: string, fix?: string): EspalierError =>
    new EspalierError({
      code: "option-invalid",
      problem: "`clientTools` do not fit the program",
      where: `program "${program.name}"`,
      expected,
      got,
      ...(fix !== undefined && { fix }),
    });
  if (takersOfClientTools(program).length === 0) {
    throw invalid(
      "an agent that takes them",
      "none",
      "Declare one with `agent({ ..., clientTools: true })`, or leave `clientTools` out",
    );
  }
  const found = clientToolsProblem(program, tools);
  if (found !== null) throw invalid("tools that fit", `tool ${found.index + 1}: ${found.problem}`);
}
