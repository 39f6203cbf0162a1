import { EspalierError } from "../../errors/index.ts";

/**
 * Refuses the file of a stopped evaluation where a whole one is wanted.
 *
 * @throws EspalierError `file-malformed`
 */
export function refuseStopped(path: string, content: unknown): void {
  if (typeof content !== "object" || content === null) return;
  const { state, code, total, rows } = content as Readonly<Record<string, unknown>>;
  if (state !== "stopped") return;
  throw new EspalierError({
    code: "file-malformed",
    problem: "The result is partial: its evaluation was stopped",
    where: path,
    expected: "the result of an evaluation that went to its end",
    got: `${Array.isArray(rows) ? rows.length : "some"} of ${String(total)} examples, then ${String(code)}`,
    fix: "Evaluate again; what the reply cache holds costs nothing",
  });
}
