import type { FailureKind } from "../../src/errors/index.ts";
import { errorCodes } from "../../src/errors/index.ts";

const kinds: Readonly<Record<FailureKind, string>> = {
  infrastructure:
    "Retried; if that fails, left unscored and retried again before any decision. Never scored as zero.",
  format: "Scored as the metric decides, and counted separately.",
  program: "Ends the evaluation and names the example.",
  budget: "Ends the run before the cap is exceeded.",
  aborted: "Ends the run; nothing is scored.",
  client: "Ends the run; the caller runs it again with the requested results. Not a fault.",
};

/** The page of error codes, generated from the table in the source. */
export function errorTable(): string {
  return [
    "# Error codes",
    "",
    "Every espalier error is an `EspalierError` with one of these codes; its message says what was",
    "expected, what was received, where, and what to do next. `npm run docs:errors` writes this page.",
    ...Object.entries(kinds).flatMap(([kind, treatment]) => section(kind, treatment)),
    "",
  ].join("\n");
}

function section(kind: string, treatment: string): string[] {
  const rows = Object.entries(errorCodes).filter(([, [codeKind]]) => codeKind === kind);
  return [
    "",
    `## ${kind}`,
    "",
    treatment,
    "",
    ...rows.map(([code, [, meaning]]) => `- \`${code}\`: ${meaning}`),
  ];
}
