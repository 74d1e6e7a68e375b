export { plainText, useTabTitle, useTitle } from './title.ts';
