import { pythonPattern, stripped } from "../python-text.ts";

/**
 * Removes what models add around an answer: quotes around the whole, a leading "Agent:" or
 * "Assistant:", and runs of white space.
 */
export function clean(answer: string): string {
  const bare = stripped(answer);
  const quoted = /^(["'])([^]*)\1$/u.exec(bare);
  return stripped(
    stripped(quoted?.[2] ?? bare)
      .replace(pythonPattern(String.raw`^(?:Agent|Assistant):\s*`, "i"), "")
      .replace(pythonPattern(String.raw`\s{2,}`, "g"), " "),
  );
}
