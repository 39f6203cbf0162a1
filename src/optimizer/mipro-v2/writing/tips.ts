/** What a request may ask for, so that instructions differ; the first asks for nothing. */
export const tips: readonly string[] = [
  "",
  "Take an approach of your own that differs from the present instruction.",
  "Be short and clear.",
  "Be thorough: say all that helps to do the step well.",
  "Say what depends on this step, so that it is carried out with the greatest care.",
  "Say as whom the step should be carried out, such as an expert for just such cases.",
];
