import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** Coordinates of cells were added or changed. */
export const cellsImported = defineEvent({
  topic: 'place.cells-imported',
  payload: z.object({ cells: z.number().int() }),
});
