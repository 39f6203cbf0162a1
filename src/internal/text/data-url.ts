/** What a `data:` URL in base64 holds; `null` for any other text. */
export function dataUrlParts(
  url: string,
): { readonly mediaType: string; readonly base64: string } | null {
  const comma = url.indexOf(",");
  const head = url.slice(0, comma);
  if (!head.startsWith("data:") || !head.endsWith(";base64")) return null;
  const mediaType = head.slice("data:".length, -";base64".length);
  return { mediaType, base64: url.slice(comma + 1) };
}
