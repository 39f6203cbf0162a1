import { FormatError } from "espalier";

/**
 * What a step said, or what to do when that cannot be read even after the correction, where it has one.
 * All other failures, an abort among them, stay what they are: an empty text in the place of a server
 * that is down would be scored as an answer.
 */
export async function unlessUnreadable<TReply, TDefault = TReply>(
  saying: Promise<TReply>,
  otherwise: (error: FormatError) => TDefault,
): Promise<TReply | TDefault> {
  try {
    return await saying;
  } catch (error) {
    if (FormatError.isInstance(error)) return otherwise(error);
    throw error;
  }
}
