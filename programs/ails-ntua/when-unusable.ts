import { FormatError } from "espalier";

/**
 * A reply, or what the authors put in place of one that cannot be parsed. Any other failure goes on:
 * the authors' client gave an empty text after five failed tries, which would be scored as an answer.
 */
export async function whenUnusable<TReply, TDefault>(
  reply: Promise<TReply>,
  instead: () => TDefault,
): Promise<TReply | TDefault> {
  try {
    return await reply;
  } catch (error) {
    if (FormatError.isInstance(error)) return instead();
    throw error;
  }
}
