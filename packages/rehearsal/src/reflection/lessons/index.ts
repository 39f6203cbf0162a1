/** The lessons that worked cases can teach, by kind of step. */
import type { Lesson } from "../cases/lesson.ts";
import { answerLessons } from "./answer-lessons.ts";
import { judgingLessons } from "./judging-lessons.ts";
import { questionLessons } from "./question-lessons.ts";
import { searchLessons } from "./search-lessons.ts";

export const lessons: readonly Lesson[] = [
  ...searchLessons,
  ...questionLessons,
  ...judgingLessons,
  ...answerLessons,
];
