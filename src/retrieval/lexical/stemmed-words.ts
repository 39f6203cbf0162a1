import { sqlite } from "../../internal/index.ts";
import { fts5Tokenizer } from "../index-file/index-schema.ts";

/** Stems of each text, with repeats, in no particular order. */
export type Stemmer = (texts: readonly string[]) => readonly (readonly string[])[];

/** The stemmer of the BM25 index: an in-memory table, filled and emptied for each call. */
export function stemmer(): Stemmer {
  const database = sqlite(":memory:");
  database.exec(`
    CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize='${fts5Tokenizer}');
    CREATE VIRTUAL TABLE instances USING fts5vocab(texts, 'instance');
  `);
  const insert = database.prepare("INSERT INTO texts (rowid, text) VALUES (?, ?)");
  const select = database.prepare("SELECT doc, term FROM instances");
  return (texts) => {
    const stems: string[][] = texts.map(() => []);
    database.exec("BEGIN");
    try {
      for (const [index, text] of texts.entries()) insert.run(index, text);
      for (const { doc, term } of select.iterate()) stems[Number(doc)]?.push(String(term));
    } finally {
      database.exec("ROLLBACK");
    }
    return stems;
  };
}
