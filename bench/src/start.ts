import type { Section } from './run.ts';
export const start: Section = async () => undefined;
