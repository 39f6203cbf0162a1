import { EspalierError } from "../../errors/index.ts";

/** @throws EspalierError `option-invalid` for what is no whole number, or less than `least` */
export function checkCount(option: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: `Option \`${option}\` of a chat server is outside its range`,
    expected: `a whole number of at least ${least}`,
    got: String(value),
  });
}
