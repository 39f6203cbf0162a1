import type { StreamedPiece } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { OutputStream } from "./output-stream.ts";
import { stringFieldReader } from "./string-field-reader.ts";

/**
 * Streams one text field of a reply while it is written. Once the call has succeeded, the pieces
 * since the last `begin` add up to the field's text, even after failed replies.
 */
export function fieldStream(
  { path, field }: Pick<StreamedPiece, "path" | "field">,
  onStream: (piece: StreamedPiece) => void,
): OutputStream {
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
    end: (outputs) => {
      const value = getOwn(outputs, field);
      const text = typeof value === "string" ? value : "";
      if (!text.startsWith(sent)) begin();
      send(text.slice(sent.length));
    },
  };
}
