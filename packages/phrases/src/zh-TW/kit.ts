import type { Phrases } from '../shape.ts';

export const kit: Phrases['kit'] = { table: { columns: '欄位' } };
