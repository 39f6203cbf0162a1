/**
 * Whether a model is the rehearsal LM. A rehearsal server announces itself by its model's name, so a URL does not
 * hide it.
 */
export function isRehearsal({
  provider,
  model,
}: {
  readonly provider: string;
  readonly model: string;
}): boolean {
  return /\brehearsal\b/.test(`${provider} ${model}`);
}
