import { hasLines, lineEnds } from "../../internal/index.ts";

export function turnTag(speaker: string, text: string): string {
  const shown = hasLines(text) ? `\n${text}\n` : text;
  return `<turn speaker="${attribute(speaker)}">${shown}</turn>`;
}

export function passageTag(number: number, title: string, text: string): string {
  const named = title.trim() === "" ? "" : ` title="${attribute(title)}"`;
  return `<passage number="${number}"${named}>\n${text}\n</passage>`;
}

function attribute(value: string): string {
  return value.replaceAll(lineBreaks, " ").trim().replaceAll('"', "&quot;");
}

const lineBreaks = new RegExp(`[${lineEnds}]+`, "gu");
