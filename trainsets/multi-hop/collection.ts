import type { Passage } from "espalier";
import type { Corpus } from "espalier/retrieval";
import { corpus } from "espalier/retrieval";
import { paragraphKey, passageOf, unknownParagraph } from "./paragraph-key.ts";
import type { SetParagraph, SetQuestion } from "./set-question.ts";

/** The passages to search, while the questions are read. */
export interface Collection {
  /** Takes the paragraphs of a question in, unless the collection is given. */
  add(paragraphs: readonly SetParagraph[]): void;
  /**
   * The ids of the paragraphs that an answer needs, and the titles of those without one.
   *
   * @throws EspalierError `passage-unknown` if a given collection lacks a paragraph
   */
  idsOf(question: SetQuestion): {
    readonly byTitle: ReadonlyMap<string, readonly string[]>;
    readonly missing: readonly string[];
  };
  /** Absent if nothing was given or taken in. */
  made(): Corpus | undefined;
}

/** A collection given by its publisher, or the union of the paragraphs that come with questions. */
export function collection(given: Corpus | undefined): Collection {
  return given === undefined ? ownCollection() : givenCollection(given);
}

function ownCollection(): Collection {
  const passages = new Map<string, Passage>();
  return {
    add: (paragraphs) => {
      for (const paragraph of paragraphs) {
        const passage = passageOf(paragraph);
        passages.set(passage.id, passage);
      }
    },
    idsOf: ({ support }) =>
      grouped(
        support.map(({ title, text }) => ({
          title,
          id: text === undefined ? undefined : passageOf({ title, text }).id,
        })),
      ),
    made: () => (passages.size === 0 ? undefined : corpus(passages.values())),
  };
}

function givenCollection(given: Corpus): Collection {
  const byKey = new Map(given.passages.map((passage) => [paragraphKey(passage), passage.id]));
  // Publishers cut one page differently in questions and in collections: its title names it too.
  const byTitle = Map.groupBy(given.passages, ({ title = "" }) => title.trim());
  const titled = (title: string): string | undefined => {
    const [one, another] = byTitle.get(title.trim()) ?? [];
    return another === undefined ? one?.id : undefined;
  };
  return {
    add: () => {},
    idsOf: ({ id, support }) =>
      grouped(
        support.map(({ title, text }) => {
          const found =
            (text === undefined ? undefined : byKey.get(paragraphKey({ title, text }))) ??
            titled(title);
          if (found === undefined && text !== undefined) throw unknownParagraph(title, id);
          return { title, id: found };
        }),
      ),
    made: () => given,
  };
}

function grouped(found: readonly { readonly title: string; readonly id: string | undefined }[]) {
  const byTitle = new Map<string, string[]>();
  const missing: string[] = [];
  for (const { title, id } of found) {
    if (id === undefined) missing.push(title);
    else byTitle.set(title, [...(byTitle.get(title) ?? []), id]);
  }
  return { byTitle, missing };
}
