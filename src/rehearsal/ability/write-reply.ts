import type { Json, RandomSource } from "../../contract/index.ts";
import type { OutputField, Task, TextRole } from "../reading/index.ts";
import { textRoleOf } from "../reading/index.ts";
import type { ClauseReader, Steering } from "../steering/index.ts";
import { steer } from "../steering/index.ts";
import type { TextReader } from "../text/index.ts";
import type { LabelChance } from "./choose-label.ts";
import { chooseLabel } from "./choose-label.ts";
import { supportOf, wantedStems } from "./evidence.ts";
import { descriptionOf, fillSchema } from "./fill-schema.ts";
import type { Material } from "./material.ts";
import { readMaterial } from "./material.ts";
import { queryCount } from "./query/query-count.ts";
import { writeQuery } from "./query/write-query.ts";
import { writeAnswer, writeDigest } from "./write-answer.ts";
import { writeFindings, writeMissing, writeSuggestions } from "./write-notes.ts";

export interface WriterTools {
  readonly reader: TextReader;
  readonly readClauses: ClauseReader;
  readonly random: RandomSource;
  readonly temperature: number;
  /** What to write where a new instruction is asked for. */
  readonly writeInstruction: () => string;
}

export interface WrittenReply {
  readonly value: Json;
  /** Chances of each label that was chosen, in the order written. */
  readonly choices: readonly (readonly LabelChance[])[];
}

/** Writes every output of a task, in order. */
export function writeReply(task: Task, tools: WriterTools): WrittenReply {
  const { reader, random, temperature } = tools;
  const material = readMaterial(task.inputs, reader);
  const choices: (readonly LabelChance[])[] = [];
  const written: string[] = [];
  const jitter =
    temperature === 0 ? () => 1 : () => 1 + 0.4 * temperature * (random.random() - 0.5);

  const fill = (field: OutputField): Json => {
    const steering = steer({ task, field, readClauses: tools.readClauses });
    const given = { task, field, material, steering, reader };
    const query = (): string => {
      const text = writeQuery({
        ...given,
        // What orders passages wants the whole question, not a slant on it.
        index: /\bre-?rank|\brank/i.test(field.description) ? 0 : written.length,
        siblings: [...written],
        jitter,
      });
      written.push(text);
      return text;
    };
    return fillSchema(field.schema, field.description, {
      text: (description) => {
        const role =
          descriptionOf(field.schema) === description
            ? field.role
            : textRoleOf(description, reader);
        return role === "query" ? query() : writeText(role, given, tools);
      },
      list: (description, most) => {
        const role =
          description === field.description ? field.role : textRoleOf(description, reader);
        if (role !== "query") return writeList(role, given, tools);
        const count = Math.min(most, queryCount(steering));
        return [...new Set(Array.from({ length: count }, query))];
      },
      label: (description, labels) => {
        const chances = chooseLabel({ ...given, field: { ...field, description }, labels });
        choices.push(chances);
        return pick(chances, temperature, random);
      },
      degree: () => {
        const chosen = choices.at(-1)?.map(({ chance }) => chance);
        return chosen === undefined
          ? supportOf(material, wantedStems(material, reader), reader)
          : Math.max(...chosen);
      },
    });
  };

  return {
    value: Object.fromEntries(task.outputs.map((field) => [field.key, fill(field)])),
    choices,
  };
}

interface Given {
  readonly material: Material;
  readonly steering: Steering;
  readonly reader: TextReader;
}

export function writeText(role: TextRole, given: Given, tools: WriterTools): string {
  if (role === "query") {
    return writeQuery({ ...given, index: 0, siblings: [], jitter: () => 1 });
  }
  if (role === "instruction") return tools.writeInstruction();
  if (role === "answer") return writeAnswer(given);
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
  return [writeText(role, given, tools)];
}

/** A sentence on what is asked and how much of it the texts at hand cover. */
function derivation({ material, reader }: Given): string {
  const support = supportOf(material, wantedStems(material, reader), reader);
  const share = Math.round(support * 100);
  const texts = material.passages.length + material.texts.length;
  return texts === 0
    ? `Asked: ${material.question}`
    : `Asked: ${material.question} The texts at hand cover ${share} % of it.`;
}

/** The likeliest label; above temperature 0, drawn. Ties go to the first. */
function pick(chances: readonly LabelChance[], temperature: number, random: RandomSource): number {
  const weights = chances.map(({ chance }) => chance);
  if (temperature === 0) return weights.indexOf(Math.max(...weights));
  const places = weights.map((_, place) => place);
  return random.weighted(
    places,
    weights.map((weight) => weight ** (1 / temperature) + Number.MIN_VALUE),
  );
}
