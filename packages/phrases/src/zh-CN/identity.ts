import type { Phrases } from '../shape.ts';

export const identity: Phrases['identity'] = { title: 'x' };
