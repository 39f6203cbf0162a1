/**
 * Searches a program's numbers and choices, over a grid, by random draws, or by an estimate of
 * where good settings are, and evaluates each on the examples that select. This folder knows no
 * texts and calls no LM of its own; `gepa()` searches texts.
 */
export { parameterSearch } from "./parameter-search.ts";
export type {
  DrawnSearchOptions,
  GridSearchOptions,
  ParameterSearchOptions,
} from "./parameter-search-settings.ts";
