/** What must be known of the recorded rewrites and of what they are searched in. */
export const recordedNote = [
  "Every rewrite is a model's recorded output (pashaAbri/mt-rag-benchmark @ 8bb7127, Apache-2.0), none of which saw a passage or the answer; no LM is asked.",
  "The model of aggressive, informative and rewrite-then-edit is as recorded; their script's default is claude-3-5-sonnet-20241022.",
  "A pool of passages (corpora-pooled) has the distractors of the last turn and of the human rewrite, but few of a new rewrite: it flatters a wording that differs much from these, so compare only rows of this table with each other.",
].join(" ");
