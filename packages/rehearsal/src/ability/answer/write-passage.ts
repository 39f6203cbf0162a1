import type { TextReader } from "../../text/index.ts";
import type { Material } from "../material/material.ts";
import { salientTerms } from "../material/salient-terms.ts";

/**
 * What a document on the question might say. It knows no facts, so it turns the question into a
 * statement in its own words and those of the conversation and leaves the requested fact open.
 */
export function writePassage(material: Material, reader: TextReader): string {
  const { question, turns } = material;
  const words = reader.words(question).filter(({ kind }) => kind !== "function");
  const asked = words.map(({ surface }) => surface).join(" ");
  const held = reader.stems(question);
  const talk = turns.map(({ text }, index) => ({
    text,
    weight: 0.7 ** (turns.length - 1 - index),
  }));
  const about = salientTerms(talk, reader, held).slice(0, 6);
  const subject = about.filter(({ isName }) => isName).slice(0, 3);
  const lead = [...new Set([...subject, ...about].map(({ surface }) => surface))].slice(0, 5);
  return [
    ...(lead.length === 0 ? [] : [`${lead.join(", ")}.`]),
    `${capital(asked === "" ? question : asked)}.`,
  ].join(" ");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
