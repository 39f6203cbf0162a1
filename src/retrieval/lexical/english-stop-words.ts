/** The 33 words that Lucene's EnglishAnalyzer leaves out. */
export const englishStopWords: readonly string[] = Object.freeze(
  (
    "a an and are as at be but by for if in into is it no not of on or such that the their then there " +
    "these they this to was will with"
  ).split(" "),
);
