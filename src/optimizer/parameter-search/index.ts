/**
 * Search over a program's numbers and choices: a grid, or random draws, each setting evaluated on
 * the examples that select. Knows no text and asks no LM of its own; texts are `gepa()`'s.
 */
export { parameterSearch } from "./parameter-search.ts";
export type {
  GridSearchOptions,
  ParameterSearchOptions,
  RandomSearchOptions,
} from "./parameter-search-settings.ts";
