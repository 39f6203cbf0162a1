import type { LmMessage } from "../../contract/index.ts";
import type { FormatError } from "../../errors/index.ts";
import type { DataInPrompt } from "./data-in-prompt.ts";

/** Shows the model its unusable reply, and what is wrong with it. */
export function correctionOf(
  { rawText, report }: FormatError,
  { written, shownReply }: DataInPrompt,
): readonly LmMessage[] {
  const shown = shownReply(rawText ?? "");
  return [
    { role: "assistant", content: shown === "" ? "(empty)" : shown },
    {
      role: "user",
      content: `That reply could not be used. ${written(report.problem)}. Write the whole JSON object again, with every required field, and nothing else.`,
    },
  ];
}
