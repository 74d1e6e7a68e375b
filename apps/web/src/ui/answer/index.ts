export { failureOf } from './failure-of.ts';
export { type Asked, useAnswer } from './use-answer.ts';
export { useAnswerNow } from './use-answer-now.ts';
export { type More, useMore } from './use-more.ts';
