import type { Passage } from "espalier";

/** 40,000 short passages: three blocks of an index in PostgreSQL or LanceDB. */
export function manyPassages(): readonly Passage[] {
  return Array.from({ length: 40_000 }, (_, number) => ({
    id: String(number).padStart(5, "0"),
    text: `common harbour${number} salt${number % 1_000} brick${number % 17}`,
  }));
}
