import type { LmDelta, StreamedPiece } from "../../contract/index.ts";
import { stringFieldReader } from "./string-field-reader.ts";

/**
 * Streams one text field of a reply while it is written. Once the call has succeeded, the pieces
 * since the last `begin` add up to the field's text, even after failed replies.
 */
export interface FieldStream {
  /** Call when a reply begins: the first, a correction, or a repeated request. */
  begin(): void;
  add(delta: LmDelta): void;
  /** Call with the field's final value; sends the part that has not been sent. */
  end(value: unknown): void;
}

export function fieldStream(
  { path, field }: Pick<StreamedPiece, "path" | "field">,
  onStream: (piece: StreamedPiece) => void,
): FieldStream {
  let read = stringFieldReader(field);
  let sent = "";
  const send = (text: string): void => {
    if (text === "") return;
    sent += text;
    onStream({ path, field, text });
  };
  const begin = (): void => {
    read = stringFieldReader(field);
    if (sent === "") return;
    sent = "";
    onStream({ path, field, text: "", restarted: true });
  };
  return {
    begin,
    add: ({ content = "" }) => send(read(content)),
    end: (value) => {
      const text = typeof value === "string" ? value : "";
      if (!text.startsWith(sent)) begin();
      send(text.slice(sent.length));
    },
  };
}
