/**
 * Hard caps, checked before anything is spent. This folder knows LM calls and their usage; it does
 * not know candidates or the purpose of calls.
 */
export { allowanceLimits, sharedSpending, costOf, costOfRoles, serverGate } from "./server-gate.ts";
export type { Budget, Price, PriceTable, Cap, Deadline } from "./budget.ts";
export {
  checkBudget,
  rolesWithoutPrice,
  budgetStop,
  capOf,
  deadline,
  maxFitting,
  withReflectionCap,
} from "./budget.ts";
export type { CallGate, WorstTokens } from "./call-gate.ts";
export { callGate } from "./call-gate.ts";
export type { ServerGate } from "./server-gate.ts";
export { mayBeBilled, neverSent } from "./admission.ts";
export type { RoleUsage, Usage, UsageByRole } from "./usage.ts";
export {
  noUsage,
  oneCall,
  sumByRole,
  sumUsage,
  toolCallsOf,
  totalUsage,
  usageByRoleOf,
  usageOf,
} from "./usage.ts";
