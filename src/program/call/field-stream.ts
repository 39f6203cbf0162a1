import type { JsonObject, StreamedPiece } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { GrowthGuide } from "./growth.ts";
import { isDue } from "./growth.ts";
import { growingJson } from "./growing-json.ts";
import type { OutputStream } from "./output-stream.ts";

/**
 * Streams one text field of a reply while it is written. Once the call has succeeded, the pieces
 * since the last `begin` add up to the field's text, even after failed replies.
 */
export function fieldStream(
  { path, field }: Pick<StreamedPiece, "path" | "field">,
  onStream: (piece: StreamedPiece) => void,
): OutputStream {
  const guide: GrowthGuide = { grows: false, at: (key) => (key === field ? textAlone : null) };
  const textIn = (outputs: JsonObject): string => {
    const value = getOwn(outputs, field);
    return typeof value === "string" ? value : "";
  };
  let growth = growingJson(guide);
  let unread = 0;
  let sent = "";
  const send = (text: string): void => {
    if (text === "") return;
    sent += text;
    onStream({ path, field, text });
  };
  const begin = (): void => {
    [growth, unread] = [growingJson(guide), 0];
    if (sent === "") return;
    sent = "";
    onStream({ path, field, text: "", restarted: true });
  };
  return {
    begin,
    add: ({ content = "" }) => {
      growth.add(content);
      unread += content.length;
      if (!isDue(growth, unread)) return;
      unread = 0;
      send(textIn(growth.snapshot().value).slice(sent.length));
    },
    end: (outputs) => {
      const text = textIn(outputs);
      if (!text.startsWith(sent)) begin();
      send(text.slice(sent.length));
    },
  };
}

const textAlone: GrowthGuide = { grows: true, at: () => null };
