/** A part of one worked case in a reflection prompt. */
export interface RecordPart {
  /** `later`: what other steps made of the output, which is not this step's work. */
  readonly group: "input" | "output" | "later" | "feedback";
  /** Field name as written, or empty. */
  readonly label: string;
  readonly text: string;
}

/** One worked case: inputs, outputs and feedback. */
export type CaseRecord = readonly RecordPart[];

/**
 * Reads the worked cases of a reflection prompt: `# Example 1`, below it headings (or lines ending
 * in a colon) for inputs, outputs and feedback, and below these one heading or `Label:` line per
 * field.
 */
export function readRecords(text: string): readonly CaseRecord[] {
  const records: RecordPart[][] = [];
  let group: RecordPart["group"] | undefined;
  let current: { group: RecordPart["group"]; label: string; lines: string[] } | undefined;
  const close = (): void => {
    const body = current?.lines.join("\n").trim() ?? "";
    if (current !== undefined && body !== "") {
      records.at(-1)?.push({ group: current.group, label: current.label, text: body });
    }
    current = undefined;
  };
  for (const line of text.split("\n")) {
    const heading = headingOf(line);
    if (heading !== undefined && /^(?:example|case|record|trace)\b/i.test(heading.name)) {
      close();
      records.push([]);
      group = undefined;
    } else if (heading !== undefined && groupOf(heading.name) !== undefined) {
      close();
      if (records.length === 0) records.push([]);
      group = groupOf(heading.name);
      if (group !== undefined) current = { group, label: "", lines: [heading.rest] };
    } else if (group !== undefined && group !== "feedback" && heading?.isMarked === true) {
      close();
      current = { group, label: heading.name, lines: [heading.rest] };
    } else {
      current?.lines.push(line);
    }
  }
  close();
  return records.filter((record) => record.length > 0).map(splitLabels);
}

/** `## Name`, `**Name:** rest` or `Name: rest`; only the first two are certainly headings. */
function headingOf(
  line: string,
): { readonly name: string; readonly rest: string; readonly isMarked: boolean } | undefined {
  const marked = /^#{1,6}\s+(\S.*)/s.exec(line)?.[1]?.trimEnd();
  if (marked !== undefined) {
    return { name: marked.endsWith(":") ? marked.slice(0, -1) : marked, rest: "", isMarked: true };
  }
  const bold = /^\*\*(.+?):?\*\*:?\s*(.*)/s.exec(line);
  if (bold !== null) return { name: bold[1] ?? "", rest: bold[2] ?? "", isMarked: true };
  const plain = /^([A-Z][\w ]{2,30}):\s*(.*)/s.exec(line);
  const single = /^((?:Example|Case|Record) \d+)\s*$/.exec(line);
  if (single !== null) return { name: single[1] ?? "", rest: "", isMarked: false };
  return plain === null
    ? undefined
    : { name: plain[1] ?? "", rest: plain[2] ?? "", isMarked: false };
}

function groupOf(name: string): RecordPart["group"] | undefined {
  const plain = name.trim().toLowerCase();
  if (/^(?:the )?(?:program |module |predictor )?inputs?$/.test(plain)) return "input";
  if (
    /^(?:generated |program |module |the assistant's |model )?(?:outputs?|responses?)$/.test(plain)
  ) {
    return "output";
  }
  if (/^(?:what came after|later steps?|afterwards|tools called)$/.test(plain)) return "later";
  return /^(?:feedback|evaluation|critique|assessment)s?$/.test(plain) ? "feedback" : undefined;
}

/** Parts without a heading of their own may hold `Label: value` paragraphs. */
function splitLabels(record: readonly RecordPart[]): CaseRecord {
  return record.flatMap((part): readonly RecordPart[] => {
    if (part.group === "feedback" || part.label !== "") return [part];
    const pieces = part.text.split(/\n(?=[A-Z][\w ]{1,30}:(?:\s|$))/);
    return pieces.map((piece) => {
      const labelled = /^([A-Z][\w ]{1,30}):\s*([\s\S]*)$/.exec(piece);
      const isTurn = /^(?:user|assistant)$/i.test(labelled?.[1] ?? "");
      return labelled === null || isTurn
        ? { ...part, text: piece }
        : { ...part, label: labelled[1] ?? "", text: (labelled[2] ?? "").trim() };
    });
  });
}
