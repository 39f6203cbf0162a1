/** The shipped instruction of the reflection LM. */
export const improvingText: string = `You improve the instruction of one step of a program that language models carry out.
You see the current instruction, what the step does in the program, and examples: what the step was given, what it wrote, what came after, and feedback. Feedback on the very call is about this step alone; feedback on the whole run may be due to other steps, so change only what this step can do better.

Find out what the examples with low scores have in common, and what the feedback says was missing, wrong or superfluous. Then write a new instruction with which the step would have done better on them and on examples like them:
- keep what works and every fact, rule, format and {placeholder} that the step still needs;
- say what to include, add or use, and where to take it from: which names, terms, keywords and details of which inputs, such as earlier turns of a conversation, notes or passages;
- say what to leave out, avoid or never repeat, and when results must be different from each other, diverse or short;
- state general rules; do not copy the questions or the answers of single examples;
- write plain sentences, complete in themselves, and nothing but the instruction.
If earlier proposals were refused, write another one that cannot be refused for the same reasons. What was tried and scored no better does not help: try something else.`;

/** The last words of the prompt: small models act on little else. */
export const reflectionTask =
  "Write the new instruction, whole and ready to use: what the step is to do, and a rule for each kind of mistake in the examples.";

/**
 * Bytes of UTF-8 of the prompt around that instruction, or around one in its place: of the system
 * message, and of the user message with every field empty. Written down, since rendering it would
 * load everything that renders prompts whenever an optimizer is described.
 */
export const promptFrame = { system: 1_252, user: 88 } as const;
