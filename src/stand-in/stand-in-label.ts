/** Labels for anything obtained with a stand-in; each text is empty if there is none. */
export interface StandInLabel {
  /** Machine-readable, for example in an HTTP header. */
  readonly name: string;
  /** Follows the name of a model. */
  readonly inBrackets: string;
  /** Ends a line. */
  readonly suffix: string;
  /** A separate line beside figures. */
  readonly warning: string;
  /** A sentence for users of a server. */
  readonly notice: string;
}

export function standInLabel(hasStandIns: boolean): StandInLabel {
  return hasStandIns ? rehearsal : none;
}

const rehearsal: StandInLabel = {
  name: "rehearsal",
  inBrackets: " (rehearsal)",
  suffix: ", rehearsal",
  warning:
    "rehearsal: figures from the rehearsal LM show that the machinery works and say nothing about a real model",
  notice:
    "The rehearsal LM answers, a stand-in that follows simple rules: what it says shows that the machinery works, and says nothing about a real model.",
};

const none: StandInLabel = { name: "", inBrackets: "", suffix: "", warning: "", notice: "" };
