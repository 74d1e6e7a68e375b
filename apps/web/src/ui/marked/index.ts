export { Found, Marked, SearchContext } from './marked.tsx';
