/**
 * The number of tokens of each prompt that an unlimited automatic prefix cache would already hold,
 * in the given order: only full blocks, identical from the first token on, and never the whole
 * prompt, because its last token must be computed (vLLM, `docs/design/prefix_caching.md`).
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
      // The key is the entire prefix, so different prefixes never collide.
      chain += `${JSON.stringify(tokens.slice(start, start + blockTokens))}\n`;
      if (known.has(chain) && reusable === start) reusable += blockTokens;
      added.push(chain);
    }
    for (const key of added) known.add(key);
    return reusable;
  });
}
