import type { Phrases } from '../shape.ts';

export const shell: Phrases['shell'] = { title: 'x' };
