import { chatModel, serving } from "espalier/serve";
import { answerer } from "./study.ts";

const passages = [{ id: "p1", text: "The mill was built in 1871." }];

export default serving({
  name: "towns",
  models: [
    chatModel({
      id: "towns",
      program: answerer,
      inputOf: ({ question }) => ({ question, passages }),
      answerOf: ({ answer }) => ({ answer }),
    }),
  ],
});
