import type { z } from "zod";
import { ApiError } from "./api-error.ts";

/**
 * The first problem of a body, worded for the client.
 *
 * @param within where the parsed value is in the body, for example `messages[3]`
 */
export function invalidParameter({ issues: [issue] }: z.ZodError, within = ""): ApiError {
  const path = (issue?.path ?? []).map((part) =>
    typeof part === "number" ? `[${part}]` : `.${String(part)}`,
  );
  const param = clipped(`${within}${path.join("")}`.replace(/^\./, ""), 100);
  const where = param === "" ? "The body" : `\`${param}\``;
  const problem = clipped(issue?.message ?? "invalid", 200);
  return new ApiError(400, "invalid_parameter", `${where}: ${problem}.`, {
    param: param === "" ? null : param,
  });
}

/** Issues quote the names of keys, and a client can send a megabyte of them. */
function clipped(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}...`;
}
