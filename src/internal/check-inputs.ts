import { EspalierError } from "../errors/index.ts";
import { joinNames } from "./text/short-text.ts";

/**
 * Refuses examples that a program cannot take; names up to five of them.
 *
 * @param split named in the error
 * @throws EspalierError `input-invalid`
 */
export function checkInputs(
  program: { readonly name: string; inputProblem(input: unknown): string | null },
  examples: readonly { readonly id: string; readonly input: unknown }[],
  split?: string,
): void {
  const problems = examples.flatMap(({ id, input }) => {
    const problem = program.inputProblem(input);
    return problem === null ? [] : [`\`${id}\`: ${problem}`];
  });
  if (problems.length === 0) return;
  const which = split === undefined ? "examples" : `examples of \`${split}\``;
  throw new EspalierError({
    code: "input-invalid",
    problem: `${problems.length} of ${examples.length} ${which} do not match program \`${program.name}\``,
    expected: "inputs that match the program's input fields",
    got: joinNames(problems),
    fix: "Map the rows to the program's input fields when you create the trainset.",
  });
}
