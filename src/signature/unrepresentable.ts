import { EspalierError } from "../errors/index.ts";

/** The error for a field whose type cannot be described exactly to a model. */
export function unrepresentable(where: string, got: string, fix: string): EspalierError {
  return new EspalierError({
    code: "field-unrepresentable",
    problem: "A field cannot be described to a language model",
    where,
    got,
    fix,
  });
}
