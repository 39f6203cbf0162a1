import type { Passage } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { contentHash, joinNames, sha256 } from "../../internal/index.ts";

/** Passages that are searched together. */
export interface Corpus {
  /** By id, in code-unit order: the index does not depend on the order of a file's lines. */
  readonly passages: readonly Passage[];
  /** SHA-256 over ids, titles, texts and metadata, as hexadecimal. */
  readonly checksum: string;
}

/**
 * Checks passages and hashes them. An empty title counts as none. An empty text is allowed, since
 * collections have such passages, but is never found.
 *
 * @throws EspalierError `corpus-invalid` if there are no passages, or an id is empty or repeated
 */
export function corpus(given: Iterable<Passage>): Corpus {
  const passages = [...given]
    .map(plainPassage)
    .toSorted((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0));
  if (passages.length === 0) {
    throw new EspalierError({
      code: "corpus-invalid",
      problem: "The corpus holds no passages",
      fix: "Check the source of the passages.",
    });
  }
  refuseBadIds(passages);
  const checksum = sha256(passages.map((passage) => contentHash(passage)).join("\n"));
  return Object.freeze({ passages: Object.freeze(passages), checksum });
}

/**
 * Makes texts well-formed Unicode, which SQLite requires, and drops other keys that a caller may
 * have added.
 */
function plainPassage({ id, title = "", text, metadata }: Passage): Passage {
  return Object.freeze({
    id,
    ...(title === "" ? {} : { title: title.toWellFormed() }),
    text: text.toWellFormed(),
    ...(metadata === undefined ? {} : { metadata }),
  });
}

function refuseBadIds(sorted: readonly Passage[]): void {
  const bad = sorted.find(({ id }) => id === "" || !id.isWellFormed());
  if (bad !== undefined) {
    throw new EspalierError({
      code: "corpus-invalid",
      problem: "A passage does not have a usable id",
      expected: "a non-empty string of well-formed Unicode",
      got: `${JSON.stringify(bad.id)}, with the text ${JSON.stringify(bad.text.slice(0, 60))}`,
    });
  }
  const repeated = sorted.filter(({ id }, index) => id === sorted[index - 1]?.id);
  if (repeated.length === 0) return;
  throw new EspalierError({
    code: "corpus-invalid",
    problem: "The corpus repeats passage ids",
    expected: "unique ids in the corpus",
    got: joinNames([...new Set(repeated.map(({ id }) => `\`${id}\``))]),
    fix: "Prefix ids with their source, or remove the duplicate.",
  });
}
