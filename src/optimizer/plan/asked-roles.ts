import type { LmRole } from "../../contract/index.ts";
import type { Optimizer } from "../contract/optimizer.ts";

/** The roles whose LMs a run of this optimizer can call. */
export function askedRoles(
  { asksReflection = true, teacherLm }: Pick<Optimizer, "asksReflection" | "teacherLm">,
  roles: readonly LmRole[],
): readonly LmRole[] {
  const asked = roles.filter((role) => role !== "reflection" || asksReflection);
  const isTaught = teacherLm !== undefined && roles.includes("student");
  return isTaught ? [...new Set<LmRole>([...asked, "teacher"])] : asked;
}
