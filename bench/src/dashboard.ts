import type { Section } from './run.ts';
export const dashboard: Section = async () => undefined;
