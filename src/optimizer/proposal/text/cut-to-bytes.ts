/** The start of a text that fits into `room` bytes of UTF-8, with a note on what was left out. */
export function cutToBytes(text: string, room: number): string {
  if (text.length <= room && Buffer.byteLength(text) <= room) return text;
  const kept = beginning(text, Math.floor(room) - noteLength);
  const note = `... (${text.length - kept.length} characters left out)`;
  return kept === "" ? note : `${kept} ${note}`;
}

/** Maximum length of the note on what was left out, including the space before it. */
const noteLength = 44;

function beginning(text: string, bytes: number): string {
  if (bytes <= 0) return "";
  // Drops a character that would be cut in two.
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}
