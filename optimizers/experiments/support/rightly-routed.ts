import type { BrokenDownRow } from "espalier";
import type { RoutedQuestionLabels } from "../../../trainsets/routed-question.ts";
import { complexRoutes } from "../../support/r2rag-parts.ts";

/** The route that R2RAG took; absent for a program without a router, and where the run failed. */
export function routeOf({ output }: BrokenDownRow): string | undefined {
  return (output as { readonly route?: string } | undefined)?.route;
}

/** Whether R2RAG's router judged the question as its label does. */
export function rightlyRouted(row: BrokenDownRow): number | null {
  const taken = routeOf(row);
  if (taken === undefined) return null;
  const { route } = row.example.labels as RoutedQuestionLabels;
  return Number((taken === "vanilla-agent") === complexRoutes.includes(route));
}
