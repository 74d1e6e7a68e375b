export { useTabTitle, useTitle, wordsOf } from './title.ts';
