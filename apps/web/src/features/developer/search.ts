import { z } from 'zod';
import { instantParam, someOf, textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

export const developerTabs = ['keys', 'webhook', 'calls', 'deliveries'] as const;
export type DeveloperTab = (typeof developerTabs)[number];

/** Classes of HTTP status codes. */
export const codeClasses = ['2xx', '3xx', '4xx', '5xx'] as const;
const states = ['waiting', 'delivered', 'failed'] as const;

/**
 * Search parameters of the developer area. Event types, methods and keys are checked against the contract where they are shown,
 * so that the console's first page need not load it.
 */
export const developerSearch = listSearch({
  filters: {
    search: textParam(200),
    from: instantParam,
    to: instantParam,
    /** Classes, and single codes: `404`. */
    code: someOf(z.string().regex(/^[1-5](\d\d|xx)$/), 20),
    method: someOf(z.string().regex(/^[A-Z]{3,6}$/), 5),
    key: someOf(z.uuid(), 20),
    state: someOf(z.enum(states), states.length),
    type: someOf(z.string().regex(/^[a-z.-]{3,40}$/), 20),
  },
  overlays: {
    /** Trace id of the call whose request and response are open. */
    call: z.uuid(),
    /** The notification whose attempts are open. */
    delivery: z.string().regex(/^\d{1,18}$/),
    /** The dialog for a new key is open. */
    make: z.literal('key'),
  },
  preserved: { tab: z.enum(developerTabs) },
});
export type DeveloperSearch = SearchOf<typeof developerSearch>;
