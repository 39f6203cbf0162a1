import { FormatError } from "espalier";

/**
 * What a step said, or what to do when that cannot be read even after the correction. All other
 * failures, an abort among them, stay what they are.
 */
export async function unlessUnreadable<TValue>(
  saying: Promise<TValue>,
  otherwise: (error: FormatError) => TValue,
): Promise<TValue> {
  try {
    return await saying;
  } catch (error) {
    if (FormatError.isInstance(error)) return otherwise(error);
    throw error;
  }
}
