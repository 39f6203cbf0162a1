import type { JsonObject } from "../../../contract/index.ts";
import { withoutChatTokens, withoutTags, oncePer } from "../../../internal/index.ts";
import { predictorOf } from "../../candidate/components.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { bytesPerToken, estimateTokens } from "../../plan/plan-costs.ts";
import type { ReflectiveCase } from "./reflective-cases.ts";
import { casesOf } from "./reflective-cases.ts";
import { cutToBytes, fairShares, escapedLines, shownValue } from "../text/shown-text.ts";
import type { TextComponent } from "../../task/search-space.ts";

/** Fewer tokens say too little about a call. */
const minTokensPerCase = 400;

/**
 * Renders cases as text for the reflection LM, in order, in at most `maxTokens` (see
 * `estimateTokens`). The cases share the room, and so do the inputs, outputs and feedback of each
 * case, so one long passage cannot displace the other cases or the feedback. Cuts and omissions are
 * marked. Lines that look like a heading of the frame are escaped, so no text can imitate one.
 */
export function renderCases(cases: readonly ReflectiveCase[], maxTokens: number): string {
  const shown = ofEachExample(cases, Math.max(1, Math.floor(maxTokens / minTokensPerCase)));
  const left = cases.length - shown.length;
  const lastLine =
    left === 0 ? "" : `(${left} further ${left === 1 ? "case is" : "cases are"} left out.)`;
  const room = maxTokens * bytesPerToken - bytesOf(lastLine) - 2 * (shown.length + 1);
  const sections = shown.map((one, index) => sectionsOf(one, index + 1));
  const needs = sections.map((parts) => ({ need: needOf(parts) }));
  const shares = fairShares(needs, room);
  const texts = sections.map((parts, index) => rendered(parts, shares[index] ?? 0));
  return [...texts, lastLine].filter((one) => one !== "").join("\n\n");
}

/** As many cases as fit, in order: the first call of every example, then the second calls. */
function ofEachExample(cases: readonly ReflectiveCase[], most: number): readonly ReflectiveCase[] {
  if (cases.length <= most) return cases;
  const seen = new Map<string, number>();
  const turns = cases.map((one) => {
    const turn = seen.get(one.exampleId) ?? 0;
    seen.set(one.exampleId, turn + 1);
    return { one, turn };
  });
  const kept = new Set(turns.toSorted((one, other) => one.turn - other.turn).slice(0, most));
  return turns.filter((turn) => kept.has(turn)).map(({ one }) => one);
}

interface Section {
  readonly heading: string;
  /** Sections that are too long are cut in proportion to their weight. */
  readonly weight: number;
  readonly fields: readonly { readonly heading: string; readonly text: string }[];
}

function sectionsOf(
  { path, inputs, outputs, rawText, tools = [], feedback, after }: ReflectiveCase,
  number: number,
): readonly Section[] {
  const plain = (text: string): Section["fields"] => [{ heading: "", text: asText(text) }];
  // One run may call a step several times; each call is an example of its own.
  const call = path.includes("/") ? ` (call \`${path}\` of its run)` : "";
  return [
    { heading: `# Example ${number}${call}\n\n## Inputs`, weight: 4, fields: fieldsOf(inputs) },
    ...(tools.length === 0
      ? []
      : [{ heading: "## Tools called", weight: 3, fields: fieldsOfCalls(tools) }]),
    {
      heading: "## Generated Outputs",
      weight: 3,
      fields:
        outputs === null
          ? [{ heading: "### unusable reply", text: asText(rawText ?? "(no reply)") }]
          : fieldsOf(outputs),
    },
    ...(after === "" ? [] : [{ heading: "## What came after", weight: 1, fields: plain(after) }]),
    { heading: "## Feedback", weight: 4, fields: plain(feedback) },
  ];
}

/**
 * A text as a prompt shows it between the headings of the frame, so that room is measured on what
 * is actually sent.
 */
function asText(text: string): string {
  return withoutTags(withoutChatTokens(escapedLines(text, "heading")));
}

function fieldsOfCalls(tools: NonNullable<ReflectiveCase["tools"]>): Section["fields"] {
  return tools.map(({ tool, input, result }, at) => ({
    heading: `### call ${at + 1}: ${tool}`,
    text: asText(`${JSON.stringify(input)}\n${result}`),
  }));
}

function fieldsOf(values: JsonObject): Section["fields"] {
  return Object.entries(values).map(([name, value]) => ({
    heading: `### ${name}`,
    text: asText(shownValue(value)),
  }));
}

function rendered(sections: readonly Section[], room: number): string {
  const headings = sections.reduce((sum, section) => sum + bytesOfHeadings(section), 0);
  const shares = fairShares(
    sections.map(({ fields, weight }) => ({ need: bytesOfTexts(fields), weight })),
    room - headings,
  );
  const texts = sections.map((section, index) => renderedSection(section, shares[index] ?? 0));
  // There may be so many fields that their names alone exceed the room.
  return cutToBytes(texts.join("\n\n"), room);
}

function renderedSection({ heading, fields }: Section, room: number): string {
  const shares = fairShares(
    fields.map(({ text }) => ({ need: bytesOf(text) })),
    room,
  );
  const lines = fields.flatMap(({ heading: name, text }, index) => [
    ...(name === "" ? [] : [name]),
    cutToBytes(text, shares[index] ?? 0),
  ]);
  return [heading, ...lines].join("\n");
}

function needOf(sections: readonly Section[]): number {
  return sections.reduce(
    (sum, section) => sum + bytesOfHeadings(section) + bytesOfTexts(section.fields),
    0,
  );
}

function bytesOfHeadings({ heading, fields }: Section): number {
  const perLine = 2;
  return fields.reduce(
    (sum, field) => sum + bytesOf(field.heading) + perLine,
    bytesOf(heading) + perLine,
  );
}

function bytesOfTexts(fields: Section["fields"]): number {
  return fields.reduce((sum, { text }) => sum + bytesOf(text), 0);
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** How many lessons a reflection is shown: `least`, and up to `most` where `tokens` allow. */
export interface LessonRoom {
  readonly least: number;
  readonly most: number;
  /** For the cases of all lessons together, for each component; see `estimateTokens`. */
  readonly tokens: number;
}

/** The default. */
export const roomForLessons: LessonRoom = { least: 3, most: 8, tokens: 6_000 };

/** The first rollouts whose cases fit, uncut, into the room of every component. */
export function rolloutsThatFit(
  rollouts: readonly Rollout[],
  components: readonly TextComponent[],
  { least, most, tokens }: LessonRoom,
): readonly Rollout[] {
  const left = components.map((component) => ({ predictor: predictorOf(component), tokens }));
  const fitting = rollouts.slice(0, most).findIndex((rollout, index) => {
    for (const one of left) one.tokens -= tokensOf(rollout, one.predictor);
    return index >= least && left.some((one) => one.tokens < 0);
  });
  return rollouts.slice(0, fitting === -1 ? most : fitting);
}

function tokensOf(rollout: Rollout, predictor: string): number {
  return casesOf(rollout, predictor).reduce((sum, one) => sum + tokensOfCase(one), 0);
}

const tokensOfCase = oncePer(
  ({ inputs, outputs, rawText, tools, feedback, after }: ReflectiveCase): number =>
    estimateTokens(JSON.stringify([inputs, outputs ?? rawText])) +
    estimateTokens(tools === undefined ? "" : JSON.stringify(tools)) +
    estimateTokens(feedback + after),
);
