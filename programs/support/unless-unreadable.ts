import { FormatError } from "espalier";

/**
 * A step's reply, or a default if the reply is unreadable even after a correction. All other
 * failures, including aborts, are rethrown: otherwise an empty text would be scored as an answer
 * while a server is down.
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
