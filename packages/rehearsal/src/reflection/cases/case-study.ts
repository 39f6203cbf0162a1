import type { TextRole } from "../../reading/index.ts";
import { inputRoleOf, textRoleOf } from "../../reading/index.ts";
import type { Material } from "../../ability/index.ts";
import { readMaterial } from "../../ability/index.ts";
import type { TextReader } from "../../text/index.ts";
import { coverage, similarity } from "../../text/index.ts";
import type { Feedback } from "./read-feedback.ts";
import { readFeedback } from "./read-feedback.ts";
import type { CaseRecord } from "./read-records.ts";

/** One worked case, interpreted. */
export interface CaseStudy {
  readonly material: Material;
  readonly outputs: readonly string[];
  /** Outputs that may be searches: named so, or without an informative name. */
  readonly searches: readonly string[];
  /** Outputs that may be answers. */
  readonly answers: readonly string[];
  /** Outputs that may be intermediate questions. */
  readonly subquestions: readonly string[];
  readonly feedback: Feedback;
  /**
   * Stems that were wanted but neither asked for nor written; a yes or no could contain none of
   * them.
   */
  readonly lacking: ReadonlySet<string>;
}

/**
 * Interprets worked cases. Leaves out cases whose feedback wants nothing, and those whose feedback
 * quotes a question other than the case's own: such feedback says nothing about the case.
 */
export function studyCases(
  records: readonly CaseRecord[],
  reader: TextReader,
): readonly CaseStudy[] {
  return records.flatMap((record) => {
    const of = (group: CaseRecord[number]["group"]): CaseRecord =>
      record.filter((part) => part.group === group);
    const material = readMaterial(
      of("input").map(({ label, text }) => ({
        title: label,
        description: "",
        text,
        role: inputRoleOf({ title: label, description: "", text }, reader),
      })),
      reader,
    );
    const remarks = of("feedback").map(({ text }) => text);
    const feedback = readFeedback(remarks.join("\n"), reader);
    if (isAboutAnother(feedback, material, reader)) return [];
    const written = of("output");
    const outputs = written.map(({ text }) => text);
    const as = (role: TextRole): readonly string[] =>
      written.filter(({ label }) => maybe(role, label, reader)).map(({ text }) => text);
    const asked = reader.stems(material.question);
    const said = new Set(outputs.flatMap((output) => [...reader.stems(output)]));
    const isVerdict = outputs.every((output) => /^(?:true|false|yes|no)$/i.test(output.trim()));
    const lacking = new Set(
      [...reader.stems(isVerdict ? "" : feedback.wanted)].filter(
        (stem) => !asked.has(stem) && !said.has(stem),
      ),
    );
    return [
      {
        material,
        outputs,
        searches: as("query"),
        answers: as("answer"),
        subquestions: as("subquestion"),
        feedback,
        lacking,
      },
    ];
  });
}

/** Whether an output with this name may have the role: an uninformative name may have any role. */
function maybe(role: TextRole, label: string, reader: TextReader): boolean {
  const name = label.replace(/(?<!\d)\d+$/, "");
  const named = textRoleOf(name, reader);
  const isInformative = named !== "answer" || /answer|reply|response|report|conclusion/i.test(name);
  return !isInformative || named === role;
}

function isAboutAnother(feedback: Feedback, material: Material, reader: TextReader): boolean {
  if (feedback.question === "" || material.question === "") return false;
  const quoted = reader.stems(feedback.question);
  const asked = reader.stems(material.question);
  if (quoted.size === 0 || asked.size === 0) {
    return !feedback.question.includes(material.question.trim());
  }
  // A quotation may be longer than the question if it includes the conversation.
  return similarity(quoted, asked) < 0.5 && coverage(asked, quoted) < 0.8;
}
