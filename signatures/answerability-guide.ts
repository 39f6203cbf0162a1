/**
 * What the three judges of the answerability gate share (AILS-NTUA, SemEval-2026 Task 8, Task C):
 * ten cases that set the scale, in our own examples, and the principles behind them.
 */
export const answerabilityGuide = `Cases that set the scale:
1. "How many keys has the organ?" - a passage says it has 3,412. ANSWERABLE: said directly.
2. "And what is that?" - the passages are about something else, but the assistant explained it two turns ago. ANSWERABLE: the conversation holds it.
3. "Is the season ticket worth buying?" - a passage lists what the ticket includes. ANSWERABLE: features let one judge the worth.
4. "How is a pension overpayment claimed back?" - the passages tell how housing benefit is claimed back, by the same office under the same rules. ANSWERABLE: a closely related case.
5. "May I bring my own projector to the talk?" - a passage tells what a speaker has to set up in the room. ANSWERABLE: it serves the purpose of the question.
6. "What did a crossing cost in 1920?" - the answer says that the year is not covered, but gives four groats for 1924. ANSWERABLE: a caveat with real figures.
7. "Are the rules for ferries the same as for trains?" - the conversation has the one, a passage the other. ANSWERABLE: comparing them gives it.
8. "Isn't that why Larkfeld bought it?" - Larkfeld stands in no passage and no earlier turn. UNANSWERABLE: a new name without any ground.
9. "Is the ferry running today?" - the only timetable found is eight years old. UNANSWERABLE: it asks for now, and there is only then.
10. "Why was the toll never abolished?" - the passages only list what it brought in. UNANSWERABLE: the subject is named, the question is not touched.

ANSWERABLE when at least one of these holds: the evidence answers directly, if only in part; the conversation answers; features let one judge worth; a closely related case applies; the purpose of the question is served; a caveat comes with real figures; it can be concluded from passages and conversation together.
UNANSWERABLE when evidence and conversation are both about something else, or the question asks for the present and the evidence is of the past, or it brings in a name that stands nowhere, or all that can be said is that nothing is known.
That a question asks for an opinion, that an answer carries a caveat, or that the case at hand differs a little is no reason for UNANSWERABLE.`;
