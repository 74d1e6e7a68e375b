export { type ListStore, listKeySchema, listStore } from './list-store.ts';
export { maxSimsInUrl, type SimsInUrl, type SimsOfUrl, simsInUrl } from './sims-in-url.ts';
