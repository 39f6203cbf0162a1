import { gunzipSync } from "node:zlib";

const packed = /(<script type="text\/plain" id="comparison">)([A-Za-z0-9+/=]*)(<\/script>)/;

/** The JSON text of the comparison that a report's page holds; `undefined` for any other text. */
export function comparisonIn(page: string): string | undefined {
  const [, , data] = packed.exec(page) ?? [];
  return data === undefined ? undefined : gunzipSync(Buffer.from(data, "base64")).toString("utf8");
}

/** What of a report's page is the same whatever it shows. */
export function frameOf(page: string): string {
  return page.replace(packed, "$1$3");
}
