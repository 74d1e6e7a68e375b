import type { Language } from '@simcube/contract';
import { simSelectionSchema } from '@simcube/contract/sim';
import { z } from 'zod';
import { keptLists } from '../../lib/kept-lists/index.ts';
import { stringifySearch } from '../../lib/search-params/index.ts';

const begunSchema = z.object({ selection: simSelectionSchema.optional(), content: z.string() });
type Begun = z.output<typeof begunSchema>;

const kept = keptLists('schedule', begunSchema);

/** Link for scheduling a message that was started elsewhere in this tab: text and recipients are too long for a URL. */
export const newScheduleHref = (language: Language, begun: Begun): string =>
  `/${language}/scheduleSmsAdd${stringifySearch({ from: kept.keep(begun) })}`;

export const begunSchedule = (key: string): Begun | undefined => kept.find(key);
