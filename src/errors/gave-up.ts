import { LmError } from "./lm-error.ts";

/** Who was asked stopped in mid-reply by a fault of its own, and says so as the finish reason. */
export function gaveUp(who: "server" | "provider", reason: string): LmError {
  return new LmError({
    code: "lm-server-error",
    problem: `The ${who} gave up generating (finish reason \`${reason}\`)`,
  });
}
