import type { Phrases } from '../shape.ts';

export const legal: Phrases['legal'] = { title: 'x' };
