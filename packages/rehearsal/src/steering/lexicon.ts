/**
 * Groups of ordinary English phrases that mean the same in an instruction. The one lexicon serves
 * two purposes: to understand instructions, and to phrase new rules in the words of a prompt. It
 * must not contain the subject matter of any task. Phrases match by stem; if one contains another,
 * the longer one wins.
 */
export const lexicon = {
  // where to look
  conversation: `conversation, dialogue, dialog, chat, discussion, history, thread, earlier turns,
    previous turns, prior turns, preceding turns, past turns, turns, earlier messages, earlier message,
    previous messages, previous message, prior messages, preceding messages, earlier questions,
    earlier question, previous questions, previous question, preceding question, preceding questions,
    prior questions, earlier user turns, previous user turns, earlier user questions, previous user
    questions, earlier exchange, earlier exchanges, previous exchanges, prior exchange, exchange so far,
    user said, users said, said previously, stated earlier, stated before, told before, its context,
    surrounding context, context of the question, preceding context, user and assistant said, previously,
    earlier subject, earlier subjects, earlier topic, previous topic, previous subject, previous subjects,
    across turns, said earlier, said before, came before, went before, mentioned earlier, mentioned before, discussed
    earlier, discussed before, talked about, said so far, earlier in the exchange, already said, asked
    before, asked earlier, earlier context, previous context, prior context, previous utterances,
    earlier utterances, previously mentioned, previously discussed, previously named, earlier parts,
    conversational context, dialogue context, named earlier, introduced earlier, everything earlier,
    everything before`,
  reply: `assistant, assistant replies, assistant answers, replies, earlier answers, previous answers,
    prior answers, earlier replies, previous replies, previous responses, earlier responses, answers
    given, system responses, answered before, answered earlier, last answer, last reply, latest reply,
    latest answer, preceding answer, previous answer`,
  opening: `opening question, opening turn, first question, first turn, opening message, first message,
    main topic, overall topic, general topic, topic of the conversation, subject of the conversation,
    topic of the dialogue, conversation is about, dialogue is about, theme, overarching subject, overall
    subject, topic under discussion, started the conversation, began with`,
  firstquestion: `first question, opening question, first message, first turn, very first`,
  latest: `last message, latest message, current message, last question, latest question, current
    question, last turn, latest turn, current turn, final message, final question, final turn, newest
    question, newest message, present question, question alone, message alone`,
  isolated: `in isolation, isolated, on its own terms, as if it were the first, as if nothing came before,
    with no memory, fresh start, start afresh, from scratch, context free, memoryless, forget`,
  notes: `notes, memory, notebook, what is known so far`,
  gap: `missing, gap, gaps, lacking, unanswered, not yet found, still unknown, still open, unresolved,
    uncovered, absent`,
  suggestion: `suggestions, suggestion, suggested, recommendation, recommended, hints, advice, proposed`,
  finding: `findings, finding, key findings, facts found, found so far, learned so far, known facts,
    established facts, facts already found`,
  passages: `passages, passage, documents, document, sources, source, evidence, excerpts, paragraphs,
    snippets, retrieved text, retrieved texts, search results, provided text, texts, provided context,
    given context, supplied context`,
  // what to do with it
  use: `use, include, add, carry, carry over, bring, keep, contain, incorporate, take, draw, insert,
    append, copy, reuse, enrich, pull, look, consult, read, rely, base, integrate, retain, preserve, put,
    import, borrow, mention, name, repeat, state, transfer, fold, weave, attach, supply, restate, inherit,
    account, consider, consideration, recall, remember, mind, lean, check, exploit, leverage, merge,
    combine, cover, target, address, aim, pursue, follow, complement, supplement, augment, using,
    say, specify, write out, put in, carrying, drawing, together with, in light of, in view of, with, from`,
  resolve: `resolve, replace, expand, substitute, restore, spell out, fill in, fill, complete, clarify,
    disambiguate, make explicit, explicit, rewrite, rephrase, reformulate, swap, exchange for, work out,
    identify, trace, unpack, decode, interpret, turn into, understand, figure out, settle`,
  reference: `pronouns, pronoun, reference, references, referent, referents, referring expressions,
    ellipsis, ellipses, elliptical, anaphora, coreference, omitted, left out words, implicit, ambiguous
    words, words such as it, words like it, it they, it this, this that, they or, it or this, this or that, it or they, they or it, vague words, refers to, refer back,
    point back, points back, pointing back, stands for, stand for, it refers, they refer, left unsaid,
    understood subject, incomplete, fragment, fragments, follow up, follow ups, depends on, hanging on`,
  pronoun: `pronouns, pronoun`,
  standalone: `standalone, stand alone, stands alone, stand on its own, stands on its own, on their own,
    stand by itself, self contained, self sufficient, self explanatory, decontextualise, decontextualize,
    decontextualised, de contextualise, de contextualize, context independent, context free version, context free query, context free form, in itself, of itself, free standing,
    freestanding, fully specified, fully explicit,
    unambiguous, no context is required, no context is needed, no context required, no context needed,
    without context, without access, without knowing, without having seen, without having read, without
    seeing, without reading, everything it needs, everything needed, independent of the conversation, independently understandable,
    understandable on its own, understood on its own, make sense on its own, makes sense on its own, make
    sense by itself, make sense alone, makes sense alone, understood alone, understandable alone,
    understood by itself, read on its own, makes sense without, make sense without, understood without,
    understandable without, understand without, readable without, complete without, clear without, make
    sense to someone who, makes sense to someone who, understood by someone who, understand by someone
    who, clear to someone who, clear to a reader who, clear to a stranger, anyone who has not, someone
    who has not, reader who has not, person who has not, nobody who has not, in full`,
  understand: `understand, understood, understandable, comprehend, comprehensible, grasp, sense, work,
    works, clear, readable, intelligible, meaningful, interpretable`,
  reader: `stranger, outsider, newcomer, someone else, someone new, anyone, anybody, another person, a
    reader, third person, passer by, search engine, retriever`,
  meant: `what it is about, what they are about, what is meant, what it means, what they mean, what the
    user means, what is being asked about, what is being talked about, what is being discussed, thing
    being asked about, thing asked about, thing meant, actual thing, actual things, real thing, actual
    name, actual names, user means, user refers, user has in mind, user is asking about, being referred to, intended
    subject, full name, full names, true subject, what is intended`,
  depend: `depend, depends, need, require, presuppose, assume, hinge`,
  entity: `entities, entity, names, name, named, terms, term, words, nouns, noun, subject, subjects,
    topic, topics, people, places, products, things, key details, details, specifics, concepts, phrases,
    vocabulary, identifiers, what`,
  keyword: `keywords, keyword, key words, key terms, search terms, content words, telegraphic, telegram
    style, bag of words, terse terms, essential terms, important terms, index terms, keyword style`,
  functionword: `function words, stop words, stopwords, filler, fillers, filler words, filler phrases,
    small words, grammatical words, question words, politeness, polite phrases, pleasantries, articles
    and prepositions, articles, prepositions, auxiliary verbs, chatter, chit chat, empty words, padding
    words, noise words, connecting words, unimportant words, superfluous words, needless words`,
  fullsentence: `full sentences, full sentence, complete sentences, complete sentence, whole sentences,
    grammatical sentence, grammatical sentences, natural language question, natural question, fluent
    sentence, fluent prose, prose`,
  vary: `diverse, diversity, diversify, vary, varied, variety, distinct, complementary, different facet,
    different facets, different angle, different angles, different aspect, different aspects, different
    perspective, different perspectives, different wording, different wordings, differ, differently,
    different part, different queries, different from each other, different from one another, another
    angle, no two alike, unlike the others, overlap little, little overlap, facet`,
  same: `same query, same queries, identical, exact same, alike, exact copy, exact copies, same wording,
    same search, same text`,
  split: `decompose, decomposition, break, break down, split, divide, separate, subquestion, subquestions,
    sub question, sub questions, sub queries, subqueries, one at a time, simpler questions, smaller
    questions, individual parts, each part, every part, dissect`,
  synonym: `synonyms, synonym, related terms, related words, alternative wording, alternative wordings,
    alternative terms, alternative words, other words for, other terms for, paraphrases, technical
    vocabulary, domain vocabulary, terminology, wording used in, words used in, expansion terms, broaden,
    near synonyms`,
  pastquery: `earlier queries, earlier query, previous queries, previous query, past queries, prior
    queries, queries already, query already, queries used, earlier searches, previous searches, past
    searches, already tried, tried before, already searched, already asked, queries tried, last query,
    query before, same query, same queries, same search, last time, repeat queries, repeat a query, queries issued`,
  repeat: `repeat, duplicate, reuse, resend, recycle, redo, again, once more, copy, send, same`,
  fresh: `new queries, new query, fresh queries, fresh query, new search, new searches, not tried, untried,
    novel query, novel queries`,
  verbatim: `verbatim, word for word, as it stands, as it is, as they are, as is, unchanged, untouched,
    literally, exactly as, unaltered, unmodified, as written, as asked, without changes, without any
    change, copy the question, repeat the question, echo the question`,
  question: `question, questions, request, message, utterance, ask`,
  query: `query, queries, search, searches, lookup, lookups, retrieval`,
  ownwords: `words of the question, words from the question, words in the question, terms of the
    question, terms from the question, terms in the question, words of the user, user s words, question s
    words, question s terms, words the user wrote, words the user used, words that occur in the question,
    words that appear in the question, wording of the question, vocabulary of the question`,
  vague: `vague, vaguely, generic, generic words, general words, general terms, abstract, unspecific,
    nonspecific, non specific, broad words, broad terms, broadly, imprecise, euphemisms, riddles, hazy`,
  // how to say it
  brief: `brief, briefly, short, concise, concisely, succinct, succinctly, terse, few words, compact,
    to the point, minimal, shortest`,
  oneword: `one word, single word, one single word, one term, single term, single keyword, just a keyword, one bare word, one keyword, one token`,
  span: `short phrase, short span, few words as possible, just the name, only the name, name only, exact
    answer, bare answer, answer only, only the answer, nothing but the answer, no explanation, without
    explanation, shortest answer, entity only, minimal answer, short answer, noun phrase`,
  long: `long, lengthy, verbose, elaborate, wordy, rambling, at length, expansive, extensive, as long as
    possible, many words`,
  ornate: `flowery, poetic, ornate, lyrical, florid, embellish, embellished, literary, eloquent, metaphors,
    metaphor, decorative, colourful, colorful, theatrical, grandiose, pompous, essay, poem, story, novel, speech, rhyme, verse, adjectives`,
  thorough: `detailed, thorough, thoroughly, comprehensive, complete, exhaustive, in depth, fully, full`,
  cite: `cite, citation, citations, cited, reference numbers, bracketed number, bracketed numbers, in
    brackets, number of the passage, passage number, passage numbers, attribution, attribute, footnote`,
  support: `support, supported, ground, grounded, grounding, based on, faithful, only from, drawn from,
    quote, quotes, extract, extracted, stick to, backed, back up, relevant, most relevant, rely, using,
    use, specific, from`,
  insufficient: `not enough, insufficient, missing, absent, lacking, cannot, unable, unanswerable, no
    evidence, without evidence, unsupported, do not contain, does not contain, not contain, not in the
    passages, not covered, does not cover, do not cover, not answer, not found, unknown, unclear,
    inadequate, not sufficient, silent`,
  refuse: `refuse, refusal, decline, say so, admit, acknowledge, state that, say that, do not know,
    don t know, dont know, abstain, no answer, reply that, write that, tell the user, concede, not available`,
  forbidden: `not accepted, not acceptable, not allowed, not permitted, forbidden, prohibited, unacceptable`,
  strict: `strict, strictly, careful, cautious, conservative, only if, only when, fully, completely, every
    part, all parts, entirely, sceptical, skeptical, demanding, rigorous, beyond doubt, certain`,
  lenient: `lenient, generous, generously, liberal, liberally, permissive, tolerant, even if only, any part,
    partly enough, benefit of the doubt, whenever possible, loosely, forgiving`,
  only: `only, solely, exclusively, nothing but, just, nothing else`,
  // questions, and how they are worked on
  stepanswer: `solved steps, answers of the steps, answers of earlier steps, answers of the earlier steps,
    answers of previous steps, step answers, sub answers, intermediate answers, known answers, answers so
    far, answers found so far, answers already found, answer already found, answer found so far, answers to
    earlier sub questions, answers to the sub questions, answers of the sub questions, what was found out,
    what has been found, what the steps found, what is already known, what is known already, known so far,
    earlier steps, previous steps, solved parts, already answered, already been answered, has answered, steps so far`,
  firststep: `everything else depends, all else depends, everything depends, rest depends, must be known first,
    must be found first, has to be known first, has to be found first, needs to be known first, found out
    first, described without naming, without naming, without being named, not named, left unnamed, unnamed,
    merely described, only described, next step, one step, single step, next fact, next thing, still unknown,
    unknown thing, innermost, bridge, intermediate question, intermediate fact, seed question, sub question to ask next,
    first step, step by step, one fact at a time`,
  complexity: `complex, complicated, involved, intricate, more than one search, more than a single search, more
    than one step, more than one lookup, several searches, several steps, several sources, multiple searches,
    multiple steps, multiple sources, many steps, many searches, multi step, multi hop, multihop, hops, takes
    research, needs research, steps of research, decomposition, difficult, two or more questions`,
  plainness: `simple, plain, easy, straightforward, single search, one search, single step, single lookup, one
    lookup, easily found, directly found, trivial, atomic`,
  known: `common knowledge, general knowledge, everyday knowledge, commonly known, widely known, everybody
    knows, everyone knows, looking anything up, looking it up, look anything up, look it up, no search, any
    search, no retrieval, any retrieval, without retrieval, without search, without searching, no lookup, from
    memory, by heart, what you know, already know, well known, straightforward, small talk, chit chat, greeting,
    arithmetic, trivial`,
  onefact: `one fact, single fact, a fact, one thing, one search, single search, single step, one step, single
    hop, one hop, one lookup, single lookup, one passage, single passage, simple, one piece, single piece, single
    question, atomic`,
  severalfacts: `two or more facts, several facts, several things, several attributes, several questions, several
    asks, several pieces, several parts, two or more questions, two or more things, multiple facts, multiple
    things, multiple questions, multiple attributes, multiple asks, many things, more than one thing, more than
    one fact, independent, independently, not depend on each other, not depend on one another, nothing to do
    with each other, on its own, in parallel, side by side, compound, composite, separate facts, separate
    questions, list of attributes, parallel`,
  chain: `chain, chained, depends on, depend on the answer, depends on another, one after another, one after the
    other, multi hop, multihop, several hops, hops, bridge, before the next, only described, merely described,
    without naming, found out first, found first, found out before, known first, intermediate, step by step,
    sequential, sequence, successive, in turn, complex, multi step, indirect, leads to the next, builds on`,
  blank: `empty, blank, null, left out, nothing`,
  certainty: `how sure, how certain, how confident, confidence, certainty, sureness`,
  solved: `solved, enough, sufficient, suffice, suffices, complete, finished, done, end, ending, stop, answered
    in full, all that is needed, everything needed, can be answered`,
  unfinished: `another step, more steps, further step, further steps, go on, continue, not yet, still missing,
    more search, another search, more searches`,
  better: `better, best, prefer, preferred, winner, wins, rather get, rather have, superior, stronger, favoured`,
  quality: `quality, score, grade, rating, rate, good, helpful, helpfulness, completeness, correctness`,
  mend: `mend, repair, fix, revise, adjust, improve, edit, correct, amend, rework, polish`,
  astray: `astray, misled, mislead, misleads, wrong track, distract, distracts, got in the way`,
  offtopic: `irrelevant, off topic, off the topic, unrelated, useless, beside the point, of no use`,
  prefer: `prefer, favour, favor, choose, pick, answer, label, output, give, use, say, default, return`,
} as const;

export type Concept = keyof typeof lexicon;
