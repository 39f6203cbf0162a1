/**
 * Hard caps, checked before anything is spent. This folder knows LM calls and their usage; it does
 * not know candidates or the purpose of calls.
 */
export { allowanceLimits } from "./allowance-limits.ts";
export type { Budget, Price, PriceTable } from "./budget.ts";
export { checkBudget, rolesWithoutPrice } from "./budget.ts";
export type { Cap } from "./budget-stop.ts";
export { budgetStop, capOf } from "./budget-stop.ts";
export type { CallGate, WorstTokens } from "./call-gate.ts";
export { callGate } from "./call-gate.ts";
export type { CashGate } from "./cash-gate.ts";
export { cashGate, costOf, costOfRoles } from "./cash-gate.ts";
export type { Deadline } from "./deadline.ts";
export { deadline } from "./deadline.ts";
export { sharedSpending } from "./shared-spending.ts";
export { mayBeBilled, neverSent } from "./may-be-billed.ts";
export type { RequestGate } from "./request-gate.ts";
export { requestGate } from "./request-gate.ts";
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
