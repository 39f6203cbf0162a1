import { visibleText } from "../../internal/index.ts";

/** Markup written in the source code; text read from a file never becomes markup. */
export class Markup {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

type Held = string | number | Markup | readonly Markup[];

/** A markup template that escapes every value that is not markup itself. */
export function markup(parts: TemplateStringsArray, ...held: readonly Held[]): Markup {
  return new Markup(String.raw({ raw: parts }, ...held.map(markupOf)));
}

function markupOf(held: Held): string {
  if (held instanceof Markup) return held.toString();
  if (Array.isArray(held)) return held.map(markupOf).join("\n");
  return visibleText(String(held))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
