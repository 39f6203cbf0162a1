import type { TextReader } from "../../text/index.ts";
import { stemTable } from "../../text/index.ts";

/**
 * Where a label lies between "not at all" (near 0) and "fully" (near 1): `yes`, `partial`,
 * `unsupported`. `undefined` for labels that are not degrees.
 */
export function labelDegree(label: string, reader: TextReader): number | undefined {
  const words = reader.words(label.replaceAll("_", " "));
  const degrees = words.map(({ lower, stem }) => {
    const known = degreeByStem.get(stem);
    if (known !== undefined) return degreeValues[known];
    const bare = /^(?:un|in|ir|im|non)(.{4,})$/.exec(lower)?.[1];
    return bare !== undefined && degreeByStem.get(reader.stem(bare)) === "full"
      ? degreeValues.none
      : undefined;
  });
  const found = degrees.filter((degree) => degree !== undefined);
  if (found.length === 0) return undefined;
  const isDenied = words.some(({ lower }) => /^(?:not|no|non)$/.test(lower));
  const least = Math.min(...found);
  return isDenied ? degreeValues.none : least;
}

const degreeValues = { full: 0.8, part: 0.45, none: 0.1 } as const;

const degreeByStem: ReadonlyMap<string, keyof typeof degreeValues> = stemTable<
  keyof typeof degreeValues
>({
  full: `yes true relevant supported support sufficient enough answerable answered complete fully full
    correct good high contained standalone end done`,
  part: "partial partially partly mixed some maybe medium somewhat",
  none: "no false none irrelevant unsupported insufficient unanswerable incorrect bad low nothing continue",
});
