import type { Passage } from "espalier";

const towns = [
  ["Varnholm", "harbour", "a lighthouse of red brick", "1871"],
  ["Ostrel", "river crossing", "an iron footbridge", "1902"],
  ["Kessing", "salt market", "a weighing house with two scales", "1644"],
  ["Åmrud", "glass works", "a furnace that never went cold", "1783"],
  ["São Telmo", "vineyard terraces", "a chapel cut into the rock", "1560"],
  ["Übelau", "railway yard", "a turntable for steam engines", "1889"],
  ["北港", "tea exchange", "a tasting hall with paper walls", "1755"],
] as const;

/**
 * Passages about invented towns: four to each, alike enough that ranking them takes more than one
 * word.
 */
export const shelf: readonly Passage[] = towns.flatMap(([town, trade, building, year], index) => [
  {
    id: `${index}-trade`,
    title: `${town} – trade`,
    text: `The ${trade} made ${town} known. Merchants came to ${town} for it from the whole coast.`,
    metadata: { town, tags: ["trade", index] },
  },
  {
    id: `${index}-building`,
    title: `${town} – buildings`,
    text: `In ${year} the people of ${town} finished ${building}, the first of its kind.`,
  },
  {
    id: `${index}-weather`,
    text: `Winters in ${town} are long and wet; storms from the sea reach the ${trade}.`,
    metadata: { url: `https://towns.example/${index}` },
  },
  { id: `${index}-empty`, title: `${town} – notes`, text: "\n" },
]);

export const questions = [
  "Which town has a lighthouse?",
  "storms at the harbour in winter",
  "When was the iron footbridge of Ostrel finished?",
  "merchants of the salt market",
  "turntable steam engine",
] as const;

/** What people, models and attackers put into a query. */
export const strangeQueries = [
  "北港",
  "sao telmo",
  "Åmrud glass wörks",
  'an "unclosed quote',
  '"lighthouse" AND NOT (harbour OR *)',
  "NEAR(lighthouse harbour, 2)",
  "title: text: rowid: words:harbour",
  "harbour*^ -lighthouse +salt {title text} : col",
  "harbour\u0000lighthouse",
  "'; DROP TABLE passages; --",
  "🗼🌊 lighthouse 👩‍👩‍👧‍👦",
  "\ud800 lone surrogate \udfff harbour",
  "e\u0301\u0301\u0301 \u0301 combining",
  "ﬁne Ⅷ ½ ١٢٣",
  "(((((((((((((((((((((((((((((((((",
  "AND",
  "harbour ".repeat(5_000),
  Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(" "),
] as const;
