import { standInLabel } from "../../stand-in/index.ts";
import { printToStderr } from "../terminal/terminal.ts";
import type { OpenedLms } from "./open-lms.ts";

/** The first line of a run: which stand-ins play which part; and which predictors have own LMs. */
export function announceParts({ lms, standIns }: Pick<OpenedLms, "lms" | "standIns">): void {
  const { opening } = standInLabel(standIns);
  if (opening !== "") printToStderr(opening);
  const own = Object.entries(lms).map(([name, { identity }]) => `${name} by ${identity.model}`);
  if (own.length > 0) printToStderr(own.join(", "));
}
