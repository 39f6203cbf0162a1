import type { Json, RandomSource } from "../../../../../src/contract/index.ts";
import type { OutputField, Task, TextRole } from "../../reading/index.ts";
import { textRoleOf } from "../../reading/index.ts";
import type { ClauseReader, Steering } from "../../steering/index.ts";
import { steer } from "../../steering/index.ts";
import type { TextReader } from "../../text/index.ts";
import { chooseLabel } from "../judging/choose-label.ts";
import type { LabelChance } from "../judging/label-chance.ts";
import { supportOf, wantedStems } from "../material/evidence.ts";
import { designated } from "../judging/compare-responses.ts";
import type { Writers } from "./fill-schema.ts";
import { descriptionOf, fillSchema } from "./fill-schema.ts";
import type { WrittenField } from "./leave-empty.ts";
import { isLeftEmpty } from "./leave-empty.ts";
import type { MeasureArguments } from "../judging/measure.ts";
import { measure } from "../judging/measure.ts";
import { offeredWords } from "./offered-words.ts";
import { ratingForm, ratingOn } from "../judging/rating-line.ts";
import { responseQuality } from "../judging/response-quality.ts";
import { writeNextQuestion, writeSubquestions } from "../answer/subquestions.ts";
import { writePassage } from "../answer/write-passage.ts";
import type { ListedItem } from "../answer/write-spans.ts";
import { listedItems, usefulPassages, writeSpans } from "../answer/write-spans.ts";
import { statementsOf } from "../answer/write-statements.ts";
import { writeTerms } from "../answer/write-terms.ts";
import type { Material } from "../material/material.ts";
import { readMaterial } from "../material/material.ts";
import { queryCount } from "../query/query-count.ts";
import { writeQuery } from "../query/write-query.ts";
import { writeAnswer, writeDigest } from "../answer/write-answer.ts";
import { writeFindings, writeMissing, writeSuggestions } from "../answer/write-notes.ts";

export interface WriterTools {
  readonly reader: TextReader;
  readonly readClauses: ClauseReader;
  readonly random: RandomSource;
  readonly temperature: number;
  /** Writes the text if the task asks for a new instruction. */
  readonly writeInstruction: () => string;
}

export interface WrittenReply {
  readonly value: Json;
  /** Probabilities of all labels for each choice, in the order written. */
  readonly choices: readonly (readonly LabelChance[])[];
}

/** Writes every output of a task, in order. */
export function writeReply(task: Task, tools: WriterTools): WrittenReply {
  const { reader, random, temperature, readClauses } = tools;
  const material = readMaterial(task.inputs, reader);
  const choices: (readonly LabelChance[])[] = [];
  const written: string[] = [];
  const before: WrittenField[] = [];
  const jitter =
    temperature === 0 ? () => 1 : () => 1 + 0.4 * temperature * (random.random() - 0.5);

  const fill = (field: OutputField): Json => {
    const steering = steer({ task, field, readClauses });
    const given = { task, field, material, steering, reader, readClauses };
    const query = (): string => {
      const text = writeQuery({
        ...given,
        // Reranking needs the whole question rather than a variant of it.
        index: /\bre-?rank|\brank/i.test(field.description) ? 0 : written.length,
        siblings: [...written],
        jitter,
      });
      written.push(text);
      return text;
    };
    const roleOf = (description: string): TextRole =>
      description === field.description ? field.role : textRoleOf(description, reader);
    const sureness = (): number | undefined => {
      const chosen = choices.at(-1)?.map(({ chance }) => chance);
      return chosen === undefined ? undefined : Math.max(...chosen);
    };
    const writers = (item?: ListedItem): Writers => {
      const label = (description: string, labels: readonly string[]): number => {
        const chances = chooseLabel({
          ...given,
          field: { ...field, description },
          labels,
          sureness: sureness(),
          item: item?.text,
        });
        choices.push(chances);
        return pick(chances, temperature, random);
      };
      return {
        text: (description) => {
          if (isLeftEmpty(description, before, readClauses)) return "";
          const words = offeredWords(description);
          if (words !== undefined) return words[label(description, words)] ?? "";
          if (item !== undefined) return itemText(description, item, given);
          const role =
            descriptionOf(field.schema) === description
              ? field.role
              : textRoleOf(description, reader);
          return role === "query" ? query() : writeText(role, given, tools);
        },
        list: (description, most) => {
          if (isLeftEmpty(description, before, readClauses)) return [];
          const role = roleOf(description);
          if (role !== "query") return writeList(role, { ...given, description }, tools);
          const count = Math.min(most, queryCount(steering, material));
          return [...new Set(Array.from({ length: count }, query))];
        },
        numbers: (description) =>
          material.passages.length > 0 && isOfPassages(description)
            ? usefulPassages(material, reader)
            : undefined,
        items: () => (item === undefined ? listedItems(material, reader)?.map(writers) : undefined),
        label,
        exactly: (description) =>
          item !== undefined && /\b(?:numbers?|index|place)\b/i.test(description)
            ? item.passageId === ""
              ? item.index
              : Number(item.passageId)
            : undefined,
        degree: (description) =>
          degreeOf(description, { ...given, sureness: sureness(), item: item?.text }),
      };
    };
    const value = fillSchema(field.schema, field.description, writers());
    before.push({ description: field.description, value });
    return value;
  };

  return {
    value: Object.fromEntries(task.outputs.map((field) => [field.key, fill(field)])),
    choices,
  };
}

/** "Numbers of the documents that are useful." */
function isOfPassages(description: string): boolean {
  return /\b(?:numbers?|ids?|identifiers?|indices|indexes|which)\b/i.test(description);
}

/** A text about one list item: its id, a reason, or the item itself. */
function itemText(description: string, item: ListedItem, given: Given): string {
  if (/\b(?:ids?|identifiers?|numbers?)\b/i.test(description)) return item.passageId;
  const role = textRoleOf(description, given.reader);
  return role === "reasoning" || role === "suggestions" ? derivation(given) : item.text;
}

/**
 * How certain a choice was, how good a response is, or how far the evidence covers the question.
 */
function degreeOf(description: string, given: MeasureArguments): number {
  const { material, reader, readClauses, sureness, item } = given;
  const own = readClauses(description);
  const isOfSureness = own.some(({ hits }) => hits.has("certainty"));
  if (item === undefined && material.responses.length > 1 && !isOfSureness) {
    const response = material.responses[designated(description) ?? 0] ?? "";
    return responseQuality(response, material, reader);
  }
  if (sureness !== undefined && (isOfSureness || !own.some(({ hits }) => hits.has("quality")))) {
    return sureness;
  }
  return measure({ ...given, field: { key: "", description }, sureness: undefined });
}

interface Given {
  readonly material: Material;
  readonly steering: Steering;
  readonly reader: TextReader;
  readonly description?: string;
}

export function writeText(role: TextRole, given: Given, tools: WriterTools): string {
  if (role === "query") {
    return writeQuery({ ...given, index: 0, siblings: [], jitter: () => 1 });
  }
  if (role === "instruction") return tools.writeInstruction();
  if (role === "answer") return rated(given) ?? writeAnswer(given);
  if (role === "subquestion") return writeNextQuestion(given);
  if (role === "passage") return writePassage(given.material, given.reader);
  if (role === "reasoning") return derivation(given);
  if (role === "clarification") return `Which part of this is meant? ${given.material.question}`;
  return writeList(role, given, tools).join(role === "missing" ? ", " : " ");
}

function writeList(role: TextRole, given: Given, tools: WriterTools): readonly string[] {
  if (role === "findings") {
    const found = writeFindings(given);
    return found.length > 0 ? found : [writeDigest(given.material)];
  }
  if (role === "missing") return writeMissing(given);
  if (role === "suggestions") return writeSuggestions(given);
  if (role === "subquestion") return writeSubquestions(given);
  if (role === "statement") return statementsOf(given.material);
  if (role === "terms") {
    const { description = "", steering, ...rest } = given;
    return writeTerms({ ...rest, description, clauses: steering.clauses });
  }
  if (role === "passage") return writeSpans(given.material, given.reader).map(({ text }) => text);
  return [writeText(role, given, tools)];
}

/** Remarks on a response, ending with its rating, if the instruction shows how to write one. */
function rated(given: Given): string | undefined {
  const { material, reader, steering } = given;
  const [response] = material.responses;
  if (response === undefined) return undefined;
  const form = ratingForm(steering.clauses.map(({ text }) => text).join(" "));
  if (form === undefined) return undefined;
  return `${derivation(given)}\n${ratingOn(form, responseQuality(response, material, reader))}`;
}

/** A sentence on what is asked and how much of it the available texts cover. */
function derivation({ material, reader }: Given): string {
  const support = supportOf(material, wantedStems(material, reader), reader);
  const share = Math.round(support * 100);
  const texts = material.passages.length + material.texts.length;
  return texts === 0
    ? `Asked: ${material.question}`
    : `Asked: ${material.question} The texts at hand cover ${share} % of it.`;
}

/** The most probable label; above temperature 0, a drawn one. Ties go to the first. */
function pick(chances: readonly LabelChance[], temperature: number, random: RandomSource): number {
  const weights = chances.map(({ chance }) => chance);
  if (temperature === 0) return weights.indexOf(Math.max(...weights));
  const places = weights.map((_, index) => index);
  return random.weighted(
    places,
    weights.map((weight) => weight ** (1 / temperature) + Number.MIN_VALUE),
  );
}
