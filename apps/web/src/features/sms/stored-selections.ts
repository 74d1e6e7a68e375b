import type { Language } from '@simcube/contract';
import { type SimSelection, simSelectionSchema } from '@simcube/contract/sim';
import { z } from 'zod';
import { listStore } from '../../lib/list-store/index.ts';
import { stringifySearch } from '../../lib/search-params/index.ts';

const selections = listStore('sms', z.object({ selection: simSelectionSchema }));

/** Link for writing a message to SIMs chosen elsewhere in this tab: they are too many for a URL. */
export const composeHref = (language: Language, selection: SimSelection): string =>
  `/${language}/message${stringifySearch({ compose: selections.save({ selection }) })}`;

export const findSelection = (key: string): SimSelection | undefined => selections.find(key)?.selection;
