import type { Demonstration } from "../contract/index.ts";

/** Cases that mark the boundaries between yes, partial and no; all our own writing. */
export const idkShots: readonly Demonstration[] = [
  shot("How long does the ferry to Ostrel take?", "The crossing takes forty minutes.", "no"),
  shot("Who designed the lighthouse?", "I could not find out who designed the lighthouse.", "yes"),
  shot(
    "What do tickets for the museum cost, and is there a reduction for pupils?",
    "A ticket costs eight crowns. About reductions nothing is said in the documents I have.",
    "partial",
  ),
  shot("What is the tram depot used for today?", "Sorry, that is not something I know.", "yes"),
  shot(
    "May I bring a bicycle onto the night train?",
    "The timetable does not say so in one word, but since every coach has a bicycle rack, you may.",
    "no",
  ),
  shot(
    "Why was the mill closed?",
    "The records give no reason. They do say that it was closed in 1911, and that its wheel was sold the year after.",
    "partial",
  ),
  shot(
    "Which of the two bridges is longer?",
    "Neither length is compared anywhere. The iron bridge is 120 metres and the stone bridge 95 metres long, so the iron bridge is longer.",
    "no",
  ),
  shot(
    "How do I renew my fishing permit online?",
    "The passages are about hunting permits only. Please ask the town hall.",
    "yes",
  ),
  shot(
    "Is the bakery open on Sundays?",
    "No, it is closed on Sundays and on Monday mornings.",
    "no",
  ),
  shot(
    "What is a lock keeper, and how many lived at the canal?",
    "A lock keeper opens and closes the gates for passing boats. How many of them lived at the canal is not recorded.",
    "partial",
  ),
  shot(
    "And who paid for it?",
    "That depends on which of the two towers you mean. Could you tell me?",
    "yes",
  ),
  shot(
    "Does the town have a swimming pool?",
    "There is no mention of a swimming pool. There is a lake with a bathing place, though, a short walk from the station.",
    "partial",
  ),
];

function shot(question: string, response: string, verdict: string): Demonstration {
  return {
    exampleId: `shot: ${question}`,
    inputs: { history: [], question, response },
    outputs: { verdict },
  };
}
