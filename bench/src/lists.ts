import type { Section } from './run.ts';
export const lists: Section = async () => undefined;
