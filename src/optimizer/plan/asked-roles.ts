import type { LmRole } from "../../contract/index.ts";
import type { Optimizer } from "../contract/optimizer.ts";

/** The roles whose LMs a run of this optimizer can call. */
export function askedRoles(
  { asksReflection = true }: Pick<Optimizer, "asksReflection">,
  roles: readonly LmRole[],
): readonly LmRole[] {
  return roles.filter((role) => role !== "reflection" || asksReflection);
}
