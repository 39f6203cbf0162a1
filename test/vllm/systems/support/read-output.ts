import type { CliResult } from "../../../support/run-cli.ts";

/** What a command printed with `--json`. */
export interface Output {
  /** Standard error and then standard output, without the JSON: what a person reads. */
  readonly text: string;
  /** Standard error's first line. */
  readonly first: string;
  /** Standard output's last line before the JSON. */
  readonly last: string;
  readonly json: unknown;
}

/** Reads the output of a command that ends with a line of JSON. */
export function readOutput({ stdout, stderr }: CliResult): Output {
  const lines = stdout.trimEnd().split("\n");
  const json = lines.pop();
  if (json?.startsWith("{") !== true) throw new Error(`There is no JSON:\n${stdout}${stderr}`);
  return {
    text: [stderr, ...lines].join("\n"),
    first: stderr.split("\n", 1)[0] ?? "",
    last: lines.at(-1) ?? "",
    json: JSON.parse(json),
  };
}
