import { EspalierError } from "../../../errors/index.ts";

/** An earlier step was cut short, as the recorded run tells. */
export function budgetOver({ detail }: { readonly detail: string }): EspalierError {
  return new EspalierError({
    code: "budget-exhausted",
    problem: "A cap of the budget cut an earlier step short, which ended the run",
    got: detail,
  });
}

/** Somebody asked the reflection LM who had said that nobody would. */
export function noReflectionLm(): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: "A proposer or optimizer with `asksReflection: false` asked the reflection LM",
    expected: "a reflection LM, or no calls of `run.ask`",
    got: "a run without a reflection LM",
    fix: "Remove `asksReflection: false`.",
  });
}
