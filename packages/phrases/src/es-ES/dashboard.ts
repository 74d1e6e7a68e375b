import type { Phrases } from '../shape.ts';

export const dashboard: Phrases['dashboard'] = { title: 'Análisis' };
