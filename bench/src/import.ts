import type { Section } from './run.ts';
export const cdrImport: Section = async () => undefined;
