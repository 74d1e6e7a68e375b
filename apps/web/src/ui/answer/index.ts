export { type Asked, useAnswer } from './use-answer.ts';
