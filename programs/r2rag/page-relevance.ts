/** The criterion for judging a document (appendix A.3): for `yesNoReranker` and `qwen3Reranker`. */
export const pageRelevance = `A web page was found for a query. Does it hold key information that helps to answer the query? Count it in its favour if its address speaks for a good and fitting site, and if it is recent.`;
