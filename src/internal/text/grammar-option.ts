/**
 * The option of `vllm serve` that lets a constrained reply hold every string and end on time.
 * `espalier doctor` recommends it, and so do errors about replies that end in white space.
 */
export const grammarOption = `--structured-outputs-config '{"backend":"guidance","disable_any_whitespace":true}'`;
