/**
 * Searches a program's numbers and choices, over a grid or by random draws, and evaluates each
 * setting on the examples that select. This folder knows no texts and calls no LM of its own;
 * `gepa()` searches texts.
 */
export { parameterSearch } from "./parameter-search.ts";
export type {
  GridSearchOptions,
  ParameterSearchOptions,
  RandomSearchOptions,
} from "./parameter-search-settings.ts";
