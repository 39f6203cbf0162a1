/**
 * The beginning of a text that fits into so many bytes of UTF-8, with a word on what was left out.
 */
export function cutToBytes(text: string, room: number): string {
  if (text.length <= room && Buffer.byteLength(text) <= room) return text;
  const kept = beginning(text, Math.floor(room) - noteLength);
  const note = `... (${text.length - kept.length} characters left out)`;
  return kept === "" ? note : `${kept} ${note}`;
}

/** Longest that the word on what was left out is, with the space before it. */
const noteLength = 44;

function beginning(text: string, bytes: number): string {
  if (bytes <= 0) return "";
  // A character that is cut in two is left out.
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}
