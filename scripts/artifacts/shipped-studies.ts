/** The studies whose artifacts are shipped, one of each system, and what their search may spend. */
export const shippedStudies: readonly { readonly study: string; readonly budget: string }[] = [
  { study: "r2rag", budget: "medium" },
  { study: "notes-guided", budget: "medium" },
  { study: "hanrag", budget: "medium" },
  { study: "ails-ntua-recall", budget: "medium" },
];
