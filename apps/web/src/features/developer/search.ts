import { z } from 'zod';
import { instantParam, someOf, textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

export const developerTabs = ['keys', 'webhook', 'calls', 'deliveries'] as const;
export type DeveloperTab = (typeof developerTabs)[number];

/** HTTP codes by their class, as the log is asked for them. */
export const codeClasses = ['2xx', '3xx', '4xx', '5xx'] as const;
const states = ['waiting', 'delivered', 'failed'] as const;

/**
 * What the address of the developer area holds. Types of events, methods and keys are checked where they are shown, by the
 * contract, which the console's first page does without.
 */
export const developerSearch = listSearch({
  filters: {
    search: textParam(200),
    from: instantParam,
    to: instantParam,
    code: someOf(z.enum(codeClasses), codeClasses.length),
    method: someOf(z.string().regex(/^[A-Z]{3,6}$/), 5),
    key: someOf(z.uuid(), 20),
    state: someOf(z.enum(states), states.length),
    type: someOf(z.string().regex(/^[a-z.-]{3,40}$/), 20),
  },
  over: {
    /** The call whose request and response are open, by its trace id. */
    call: z.uuid(),
    /** The notification whose attempts are open. */
    delivery: z.string().regex(/^\d{1,18}$/),
    /** A key is being made. */
    make: z.literal('key'),
  },
  kept: { tab: z.enum(developerTabs) },
});
export type DeveloperSearch = SearchOf<typeof developerSearch>;
