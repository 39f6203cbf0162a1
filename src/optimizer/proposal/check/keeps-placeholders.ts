import type { ProposalCheck } from "./proposal-check.ts";

/**
 * Every `{name}`, `{{name}}`, `%(name)s` and `<name>` of the current text must stay unchanged: code
 * may fill it in. A `<name>` that has a closing tag, or stands in backticks, is not a placeholder.
 */
export function keepsPlaceholders(): ProposalCheck {
  return {
    name: "keeps-placeholders",
    check: (text, { current }) => {
      const before = [...bracedIn(current), ...openAnglesIn(current)];
      if (before.length === 0) return null;
      const kept = new Set([...bracedIn(text), ...text.matchAll(angled).map(([one]) => one)]);
      const lost = before.filter((placeholder) => !kept.has(placeholder));
      return lost.length === 0
        ? null
        : {
            reason: "placeholder-lost",
            detail: `The proposed text lacks ${[...new Set(lost)].join(", ")}, which the current one has.`,
          };
    },
  };
}

function bracedIn(text: string): readonly string[] {
  return (
    text.match(
      /\{\{\s*[A-Za-z_][\w.]*\s*\}\}|\{[A-Za-z_][\w.]*\}|%\([A-Za-z_][\w.]*\)[-#0 +]*(?:[1-9]\d*)?(?:\.\d+)?[a-zA-Z]/g,
    ) ?? []
  );
}

/** Does not match the type in `List<string>`. */
const angled = /(?<!\w)<([A-Za-z_][\w.-]*)>/g;

/** Tags that need no closing tag, and thinking marks. */
const noNames: ReadonlySet<string> = new Set(["br", "hr", "p", "li", "think", "thinking"]);

function openAnglesIn(text: string): readonly string[] {
  if (!text.includes("<")) return [];
  const unquoted = text.replaceAll(/`[^`\n]*`/g, "");
  const closed = new Set([...unquoted.matchAll(/<\/([A-Za-z_][\w.-]*)>/g)].map(([, name]) => name));
  return [...unquoted.matchAll(angled)].flatMap(([placeholder, name = ""]) =>
    noNames.has(name.toLowerCase()) || closed.has(name) ? [] : [placeholder],
  );
}
