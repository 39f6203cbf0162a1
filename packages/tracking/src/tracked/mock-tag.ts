import type { Mock } from "../../../../src/mock/index.ts";

/** Names the parts that mocks played, so that their figures are not taken for a model's. */
export function mockTag(mocks: readonly Mock[]): Readonly<Record<string, string>> {
  if (mocks.length === 0) return {};
  const parts = mocks.map(({ part, model }) => `${part} (${model})`).join(", ");
  return { "espalier.mocks": parts };
}
