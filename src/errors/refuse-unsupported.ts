import { LmError } from "./lm-error.ts";

/**
 * Refuses a request for what an LM does not support.
 *
 * @param asked whether each feature that it lacks is asked for, by name
 * @param options.what the LM, as the subject of a sentence
 * @throws LmError `lm-unsupported`, naming every feature that is
 */
export function refuseUnsupported(
  asked: Readonly<Record<string, boolean>>,
  { what, fix }: { readonly what: string; readonly fix: string },
): void {
  const names = Object.entries(asked).flatMap(([name, isAsked]) =>
    isAsked ? [`\`${name}\``] : [],
  );
  if (names.length === 0) return;
  throw new LmError({
    code: "lm-unsupported",
    problem: `${what} does not support ${names.join(", ")}`,
    fix,
  });
}
