import { deepFreeze } from "../../internal/index.ts";
import type { Refusal } from "../candidate/candidate-record.ts";
import type { Search } from "./search.ts";

/** Notes and tells why a proposal did not become a candidate. */
export function refuse(
  { run, refusals, iteration }: Search,
  refusal: Omit<Refusal, "iteration">,
): void {
  const told = deepFreeze({ iteration, ...refusal });
  refusals.push(told);
  run.emit({ kind: "candidate-refused", ...told });
}
