import { hash } from "node:crypto";
import type { Turn } from "../../contract/index.ts";

/**
 * Hashes by which an exchange is found in a conversation that repeats it: of question and answer
 * together, and of each that identifies the exchange by itself.
 */
export function hashesOfExchange(question: string, answer: string): readonly number[] {
  const turns: readonly Turn[] = [
    { speaker: "user", text: question },
    { speaker: "assistant", text: answer },
  ];
  return [...hashesOfTurns(turns)];
}

/** The same hashes, of everything that a conversation repeats. */
export function hashesOfTurns(turns: readonly Turn[]): ReadonlySet<number> {
  const compared = turns.map(comparedTurn);
  const texts = compared.map(({ text }) => text).filter(identifies);
  return new Set([...pairHashes(compared), ...texts.map((text) => textHash(text))]);
}

/** Hashes of the questions with the answers that follow them, in order. */
export function exchangeHashes(turns: readonly Turn[]): readonly number[] {
  return pairHashes(turns.map(comparedTurn));
}

function pairHashes(compared: readonly Turn[]): readonly number[] {
  return compared.flatMap(({ speaker, text }, index) => {
    const next = compared[index + 1];
    if (speaker !== "user" || next?.speaker !== "assistant") return [];
    return textHash(`${text}\n${next.text}`);
  });
}

function comparedTurn({ speaker, text }: Turn): Turn {
  return { speaker, text: comparedText(text) };
}

/**
 * Normalizes a text: well-formed Unicode, NFKC, case folded, and split into words, so that white
 * space, punctuation and Markdown make no difference. The text itself if it has no words.
 */
function comparedText(text: string): string {
  const folded = text.toWellFormed().normalize("NFKC").toUpperCase().toLowerCase();
  return folded.match(word)?.join(" ") ?? folded.trim();
}

/** Shorter texts are said by many. */
function identifies(text: string): boolean {
  return new Set(text.split(" ")).size >= 5;
}

/** 48 bits, which fit a number of both SQLite and JavaScript. */
function textHash(text: string): number {
  return Number.parseInt(hash("sha256", text).slice(0, 12), 16);
}

/** In scripts without spaces between words, each letter counts as a word. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]+/gv;
