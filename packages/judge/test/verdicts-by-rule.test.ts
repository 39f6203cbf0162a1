import { expect, test } from "vitest";
import { asksBackByRule, declinesByRule } from "../src/lexical-generation-quality.ts";

test.each([
  ["I'm sorry, but I don't have the answer to your question.", 1],
  ["The passages do not mention when it was built. Please ask the town hall.", 1],
  ["The information is not there.", 1],
  ["", 1],
  ["It was built in 1871. The documents do not say by whom.", 0.5],
  ["I do not know who built it. It was finished in 1871.", 0.5],
  ["I can not find when it was built.", 1],
  ["We can’t tell from the passages whether it is open.", 1],
  ["It cannot be determined from the text.", 1],
  ["I'm unable to say. It is best to ask the town hall.", 1],
  ["That is not stated anywhere.", 1],
  ["There isn't enough evidence in the documents.", 1],
  ["The passages do not say on which street of the U.S. Mint it stands.", 1],
  ["The guide tells of the trams, but it does not mention the ferry.", 0.5],
  ["While the year isn't given in the documents, it is older than the church.", 0.5],
  ["It was built in 1871.", 0],
  ["The shop does not provide bags.", 0],
  ["If you cross the bridge, you see it. It does not cost anything.", 0],
] as const)("tells by rule whether %j declines", (response, verdict) => {
  expect(declinesByRule(response)).toBe(verdict);
});

test.each([
  ["Which of the two bridges do you mean?", 1],
  ["Could you tell me which bridge you are asking about.", 1],
  ["Please specify the bridge.", 1],
  ["It was built in 1871.", 0],
  ["It was built in 1871. Is there anything else I can help you with?", 0],
  ["I do not know.", 0],
  ["The bank can provide interest every quarter.", 0],
  ["It would share the cost with you, and could provide a room.", 0],
  ["You can specify the number of seconds.", 0],
  ["You will need to provide all receipts, please.", 0],
  ["Would you like to know more about trams?", 0],
  ["Please let me know if you have further questions.", 0],
  ["Ask the lawyer: How do you charge? Then sign.", 0],
  ["Can you please let me know the error you see? It reads like this one: no place left.", 1],
  ["I'm not sure what you mean. Is it the old bridge, or the new one?", 1],
  ["If you tell me which bridge, I can say more.", 1],
  ["It depends. So please give me more details about the bridge.", 1],
  ["Do you mean the old bridge, or something else?", 1],
  ["Did you perhaps mean the ferry, or any other boat? There are three.", 1],
  ["Are you asking about the fare, or would you like more details of the route?", 1],
  ["Are you referring to the bridge of 1871, or to another one? I know of more than one.", 1],
  ["By the mint, do you mean the museum, or something more general?", 1],
  ["Is this about the opening hours, or do you need something else?", 1],
  ["When you say bank, are you talking about the river or something else entirely?", 1],
  ["Which bridge do you have in mind: the old one, or some other?", 1],
  ["Sorry, is it the museum or something else that you want to know more about?", 1],
  ["Were you thinking of the summer timetable, or would another help you with any of this?", 1],
  ["It opens at nine. Is there anything else you want to know?", 0],
  ["It opens at nine. Do you need help with something else?", 0],
  ["Was it not the old bridge that fell? It was, in 1871.", 0],
] as const)("tells by rule whether %j asks back", (response, verdict) => {
  expect(asksBackByRule(response)).toBe(verdict);
});
