export { Highlight, SearchContext, SearchHighlight } from './highlight.tsx';
