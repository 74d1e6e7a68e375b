import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** Cells stand elsewhere than was known, or are known for the first time. */
export const cellsImported = defineEvent({
  topic: 'place.cells-imported',
  payload: z.object({ cells: z.number().int() }),
});
