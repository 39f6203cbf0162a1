import { EspalierError } from "../errors/index.ts";

export function inputInvalid(program: string, problem: string): EspalierError {
  return new EspalierError({
    code: "input-invalid",
    problem: `The input does not match its fields: ${problem}`,
    where: `program "${program}"`,
  });
}

export function outputInvalid(program: string, problems: readonly string[]): EspalierError {
  return new EspalierError({
    code: "program-failed",
    problem: `The program's output does not match its fields: ${problems.join("; ")}`,
    where: `program "${program}"`,
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
