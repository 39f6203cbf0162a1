/**
 * Measures how many prompt tokens a server's automatic prefix cache can reuse: the same calls of
 * notes-guided RAG with the same demonstrations, laid out by espalier, by ax's default and by
 * DSPy's chat adapter. Inputs and demonstrations come from the rehearsal LM, so the figures are
 * rehearsal figures. Tokens are the rehearsal LM's, or a real server's with `--tokenizer
 * http://host:8000/v1 --model NAME`.
 */
import { textOfContent } from "espalier";
import type { LmMessage } from "espalier";
import { scriptOptions } from "../../scripts/support/script-options.ts";
import { tokenize } from "../../packages/rehearsal/src/model/index.ts";
import { report } from "./support/bench-options.ts";
import { layouts } from "./prefix/layouts.ts";
import { recordedCalls } from "./prefix/recorded-calls.ts";
import { reusableTokens } from "./prefix/reusable-tokens.ts";

const { values: given, flags } = scriptOptions({
  command: "npm run bench:prefix",
  about: "Measures the share of prompt tokens that a prefix cache can reuse: espalier, ax, DSPy.",
  options: {
    json: { about: "Also print the figures as a last line of JSON" },
    examples: { about: "Examples whose calls are laid out", value: "N", preset: "40" },
    demos: { about: "Demonstrations in each prompt", value: "N", preset: "3" },
    tokenizer: { about: "Base URL of a server that counts tokens", value: "URL" },
    model: { about: "Model on that server", value: "NAME" },
  },
});

const recorded = await recordedCalls(Number(given.examples), Number(given.demos));
const arms: Record<string, object> = {};
const lines: string[] = [];
for (const [name, prompts] of Object.entries(await layouts(recorded))) {
  if (typeof prompts === "string") {
    lines.push(`${name.padEnd(9)} SKIPPED: ${prompts}`);
    arms[name] = { skipped: prompts };
    continue;
  }
  const tokens = await Promise.all(prompts.map(tokensOf));
  const reusable = reusableTokens(tokens);
  const promptTokens = sum(tokens.map(({ length }) => length));
  const reusableTotal = sum(reusable);
  const share = reusableTotal / promptTokens;
  const byPredictor = sharesByPredictor(tokens, reusable);
  arms[name] = { promptTokens, reusableTokens: reusableTotal, share, byPredictor };
  const rest = promptTokens - reusableTotal;
  lines.push(
    `${name.padEnd(9)} ${String(promptTokens).padStart(8)} prompt tokens, ${(100 * share).toFixed(1).padStart(5)} % reusable, ${String(rest).padStart(7)} to compute  (${Object.entries(
      byPredictor,
    )
      .map(([predictor, part]) => `${predictor} ${(100 * part).toFixed(0)} %`)
      .join(", ")})`,
  );
}
report(
  flags.has("json"),
  [
    `${recorded.calls.length} calls of notes-guided RAG over ${given.examples} examples of four shelves, ${given.demos} demonstrations each; rehearsal inputs, ${given.tokenizer === undefined ? "rehearsal tokens" : `tokens of ${given.tokenizer}`}, blocks of 16`,
    ...lines,
  ].join("\n"),
  { rehearsal: true, calls: recorded.calls.length, arms },
);

async function tokensOf(messages: readonly LmMessage[]): Promise<readonly (string | number)[]> {
  const { tokenizer, model } = given;
  if (tokenizer === undefined) {
    return tokenize(
      messages.map(({ role, content }) => `${role}\n${textOfContent(content)}\n`).join(""),
    );
  }
  const response = await fetch(`${tokenizer.replace(/\/v1\/?$/, "")}/tokenize`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...(model !== undefined && { model }), messages }),
  });
  const { tokens } = (await response.json()) as { readonly tokens?: readonly number[] };
  if (tokens === undefined) throw new Error(`${tokenizer} has no /tokenize for messages.`);
  return tokens;
}

function sharesByPredictor(
  tokens: readonly (readonly unknown[])[],
  reusable: readonly number[],
): Readonly<Record<string, number>> {
  const names = [...new Set(recorded.calls.map(({ predictor }) => predictor))];
  return Object.fromEntries(
    names.map((name) => {
      const own = <TValue>(all: readonly TValue[]): readonly TValue[] =>
        all.filter((_, index) => recorded.calls[index]?.predictor === name);
      return [name, sum(own(reusable)) / sum(own(tokens).map(({ length }) => length))];
    }),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
