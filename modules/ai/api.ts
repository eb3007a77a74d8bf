export type { Citation, TutorAnswer } from './conversation/conversation.ts';
export type { TutorQuestion } from './question.ts';
export { Tutor } from './tutor.ts';
