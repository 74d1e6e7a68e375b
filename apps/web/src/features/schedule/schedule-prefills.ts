import type { Language } from '@simcube/contract';
import { simSelectionSchema } from '@simcube/contract/sim';
import { z } from 'zod';
import { listStore } from '../../lib/list-store/index.ts';
import { stringifySearch } from '../../lib/search-params/index.ts';

const prefillSchema = z.object({ selection: simSelectionSchema.optional(), content: z.string() });
type SchedulePrefill = z.output<typeof prefillSchema>;

const prefills = listStore('schedule', prefillSchema);

/** Link for scheduling a message that was started elsewhere in this tab: text and recipients are too long for a URL. */
export const newScheduleHref = (language: Language, prefill: SchedulePrefill): string =>
  `/${language}/scheduleSmsAdd${stringifySearch({ from: prefills.save(prefill) })}`;

export const findSchedulePrefill = (key: string): SchedulePrefill | undefined => prefills.find(key);
