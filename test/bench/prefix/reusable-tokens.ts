/**
 * Tokens of each prompt that an automatic prefix cache without a limit would have had already, in the
 * order given: full blocks only, equal from the first token on, and never the whole prompt, since its
 * last token must be computed (vLLM, `docs/design/prefix_caching.md`).
 */
export function reusableTokens(
  prompts: readonly (readonly (string | number)[])[],
  blockTokens = 16,
): readonly number[] {
  const known = new Set<string>();
  return prompts.map((tokens) => {
    let reusable = 0;
    let chain = "";
    const added: string[] = [];
    for (let start = 0; start + blockTokens < tokens.length; start += blockTokens) {
      // The whole beginning is the key: nothing can be mistaken for it.
      chain += `${JSON.stringify(tokens.slice(start, start + blockTokens))}\n`;
      if (known.has(chain) && reusable === start) reusable += blockTokens;
      added.push(chain);
    }
    for (const key of added) known.add(key);
    return reusable;
  });
}
