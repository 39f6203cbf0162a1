import type { InputField } from "../../reading/index.ts";
import type { TextReader } from "../../text/index.ts";
import { stemTable } from "../../text/index.ts";

/** Notes from earlier steps, by kind. */
export interface NoteSections {
  readonly findings: readonly string[];
  readonly missing: readonly string[];
  readonly suggestions: readonly string[];
  readonly queries: readonly string[];
}

type Section = keyof NoteSections;

/**
 * Sorts notes by the label that begins a line ("Missing info: ..."), by a JSON key, or, if an input
 * holds only one kind of note, by its description. Unlabelled notes are findings.
 */
export function readNoteSections(inputs: readonly InputField[], reader: TextReader): NoteSections {
  const sections: Record<Section, string[]> = {
    findings: [],
    missing: [],
    suggestions: [],
    queries: [],
  };
  for (const { description, title, text } of inputs) {
    let section = sectionOf(description === "" ? title : description, reader) ?? "findings";
    for (const line of unfolded(text)) {
      const labelled = /^[\s"{[*#-]*([\p{L}][\p{L} _-]{1,40})["*]{0,3}\s{0,3}:\s*(.*)/su.exec(line);
      const named = labelled === null ? undefined : sectionOf(labelled[1] ?? "", reader);
      section = named ?? section;
      const said = (named === undefined ? line : (labelled?.[2] ?? "")).replace(
        /^["\s[]+|(?<!["\s,\]}])["\s,\]}]+$/g,
        "",
      );
      if (said !== "" && !isNothing(said)) sections[section].push(said);
    }
  }
  return sections;
}

/** Headings, and lines that report nothing: "None.", "No earlier attempts." */
function isNothing(line: string): boolean {
  return /^=.*=$/.test(line) || /^(?:no|none|nothing)\b/i.test(line);
}

/** Puts JSON keys on lines of their own, so that both notations parse alike. */
function unfolded(text: string): readonly string[] {
  return text.replaceAll(/([{,])\s*"(\w+)"\s*:/g, '$1\n"$2":').split("\n");
}

/**
 * "Search suggestions" are suggestions, and "missing from the search" is missing: queries are
 * checked last.
 */
function sectionOf(label: string, reader: TextReader): Section | undefined {
  const found = reader.words(spaced(label)).map(({ stem }) => sectionByStem.get(stem));
  const isKnown = (section: Section | undefined): boolean => section !== undefined;
  return found.find((section) => isKnown(section) && section !== "queries") ?? found.find(isKnown);
}

const sectionByStem: ReadonlyMap<string, Section> = stemTable<Section>({
  findings: "findings found facts known learned",
  missing: "missing gaps lacking unanswered open unknown",
  suggestions: "suggestions suggested recommendations strategy next hints",
  queries: "queries query searches",
});

function spaced(label: string): string {
  return label.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}
