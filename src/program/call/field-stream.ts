import type { LmDelta, StreamedPiece } from "../../contract/index.ts";
import { stringFieldReader } from "./string-field-reader.ts";

/**
 * Hands on one text field of a reply while it is written. Whatever becomes of the reply, the pieces
 * since the last start add up to the field's text once the call has succeeded.
 */
export interface FieldStream {
  /** Another reply begins: the first, a correction, or one that is asked for again. */
  begin(): void;
  add(delta: LmDelta): void;
  /** The field as it was read in the end; sends what of it was not sent. */
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
