/**
 * The 19 linguistic features of a question, by name, in the order of the vector: counts.
 *
 * The authors count parts of speech and punctuation with spaCy's `en_core_web_sm`. Without a
 * tagger, this counts closed classes from lists of English words, which is nearly the same, and
 * open classes by form where form tells (adverbs in -ly, names by their capital), which is not.
 * Nouns, verbs and adjectives are not distinguished; length and the kinds of question take their
 * place. Use a classifier trained on these features only with these features.
 */
export const questionFeatureNames = [
  "words",
  "characters",
  "sentences",
  "commas",
  "questionMarks",
  "otherPunctuation",
  "numbers",
  "capitalizedWords",
  "questionWords",
  "openQuestionWords",
  "determiners",
  "pronouns",
  "adpositions",
  "coordinatingConjunctions",
  "subordinatingConjunctions",
  "auxiliaries",
  "particles",
  "adverbs",
  "comparisons",
] as const;

export type QuestionFeature = (typeof questionFeatureNames)[number];

/** The features of one question, in the order of `questionFeatureNames`. */
export function questionFeatures(question: string): readonly number[] {
  const words = question.match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [];
  const lower = words.map((word) => word.toLowerCase().replaceAll("’", "'"));
  const of = (list: ReadonlySet<string>): number => lower.filter((word) => list.has(word)).length;
  const matches = (pattern: RegExp): number => question.match(pattern)?.length ?? 0;
  const counts: Record<QuestionFeature, number> = {
    words: words.length,
    characters: Array.from(question.trim()).length,
    sentences: Math.max(1, matches(/(?<![.!?])[.!?]+(?=\s|$)/gu)),
    commas: matches(/,/g),
    questionMarks: matches(/\?/g),
    otherPunctuation: matches(/\p{P}/gu) - matches(/[,?]/g),
    numbers: words.filter((word) => /^\p{N}/u.test(word)).length,
    capitalizedWords: words.slice(1).filter((word) => /^\p{Lu}/u.test(word)).length,
    questionWords: of(lists.questionWords),
    openQuestionWords: of(lists.openQuestionWords),
    determiners: of(lists.determiners),
    pronouns: of(lists.pronouns),
    adpositions: of(lists.adpositions),
    coordinatingConjunctions: of(lists.coordinatingConjunctions),
    subordinatingConjunctions: of(lists.subordinatingConjunctions),
    auxiliaries: of(lists.auxiliaries),
    particles: lower.filter((word) => lists.particles.has(word) || /n't$|'s$/.test(word)).length,
    adverbs: lower.filter((word) => lists.adverbs.has(word) || /\w{3}ly$/.test(word)).length,
    comparisons: of(lists.comparisons),
  };
  return questionFeatureNames.map((name) => counts[name]);
}

const lists = {
  questionWords: words("who whom whose what which when where"),
  openQuestionWords: words("how why explain describe discuss compare evaluate"),
  determiners: words(
    "a an the this that these those each every either neither some any no all both",
  ),
  pronouns: words(
    "i you he she it we they me him her us them my your his its our their mine yours myself yourself himself herself itself ourselves themselves someone something anyone anything everyone everything nobody nothing",
  ),
  adpositions: words(
    "of in on at by for from with without about against between among into onto through during before after above below over under across along around behind beside beyond near toward towards upon within despite per via",
  ),
  coordinatingConjunctions: words("and or but nor yet"),
  subordinatingConjunctions: words(
    "if because although though while whereas unless until since whether once as than",
  ),
  auxiliaries: words(
    "am is are was were be been being do does did have has had can could will would shall should may might must",
  ),
  particles: words("not to"),
  adverbs: words("also very too often never always still even just only then there here ever"),
  comparisons: words(
    "more most less least better best worse worst greater greatest larger largest higher highest lower lowest older oldest younger youngest earlier earliest later latest longer longest versus vs difference differences different similar similarities pros cons advantages disadvantages",
  ),
} as const;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
