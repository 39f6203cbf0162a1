/** The LM that each predictor asks, of what a command reports. */
export function lmsOf<TLm extends { readonly provider: string; readonly model: string }>({
  lm,
  lms = {},
}: {
  readonly lm: TLm;
  readonly lms?: Readonly<Record<string, TLm>>;
}): (name: string) => TLm {
  return (name) => (Object.hasOwn(lms, name) ? lms[name] : undefined) ?? lm;
}
