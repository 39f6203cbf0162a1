import { text } from "espalier";
import { lmAt } from "./ask.ts";
import { attempted, leaningTo, oneStep } from "./one-step.ts";
import type { VllmAddress } from "./server-kinds.ts";

/** What a model writes into a text field when nothing is likelier than a backslash. */
export async function replyFullOfEscapes(address: VllmAddress): Promise<string> {
  await using lm = lmAt(address);
  const { replies } = await attempted(oneStep(text("field")), await leaningTo(["\\"], lm, address));
  return replies[0]?.content ?? "";
}
