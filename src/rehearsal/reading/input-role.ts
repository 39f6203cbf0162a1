import type { TextReader } from "../text/index.ts";
import { stemTable } from "../text/index.ts";
import type { InputRole } from "./task.ts";

/**
 * What an input is. Its shape decides first (speaker lines, numbered blocks), then the earliest
 * telling word of its description; its title is looked at only when there is no description.
 */
export function inputRoleOf(
  { title, description, text }: { title: string; description: string; text: string },
  reader: TextReader,
): InputRole {
  if (/^(?:user|assistant): /im.test(text) && !/^\[1\] /m.test(text)) return "conversation";
  if (text.startsWith("[1] ")) return "passages";
  const words = reader.words(description === "" ? spaced(title) : description);
  for (const { stem } of words) {
    const role = roleByStem.get(stem);
    if (role !== undefined)
      return settle(
        role,
        words.map((word) => word.stem),
      );
  }
  return "text";
}

// A list of past queries is described with the same noun as the query that is asked.
function settle(role: InputRole, stems: readonly string[]): InputRole {
  const isQueryList = stems.includes("queri") || (stems.includes("search") && role !== "passages");
  const isPast = stems.some((stem) => pastStems.includes(stem));
  return role === "question" && isQueryList && isPast ? "queries" : role;
}

const pastStems: readonly string[] = "earlier previou alreadi us tri issu sent past prior".split(
  " ",
);

const roleByStem: ReadonlyMap<string, InputRole> = stemTable<
  Exclude<InputRole, "queries" | "text">
>({
  conversation: "conversation dialogue dialog chat history turns",
  passages: "passages documents paragraphs evidence snippets excerpts sources",
  notes: "notes findings missing suggestions memory",
  question: "question query asks request claim utterance",
});

function spaced(title: string): string {
  return title.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}
