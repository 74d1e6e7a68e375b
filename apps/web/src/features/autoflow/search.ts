import { iccidSchema } from '@simcube/contract';
import { z } from 'zod';
import { textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

const id = z.string().regex(/^\d{1,18}$/);
/** What stands for the id of a thing that is being made. */
export const newOne = 'new';
const conditions = ['enabled', 'disabled', 'waiting', 'ended', 'failing'] as const;

/**
 * What the address of the rules holds. Triggers and scopes are checked where they are shown, by the contract, which the
 * console's first page does without.
 */
export const rulesSearch = listSearch({
  filters: {
    search: textParam(60),
    condition: z.enum(conditions),
    trigger: z.string().regex(/^[a-z-]{3,20}$/),
    scope: z.string().regex(/^[a-z-]{3,20}$/),
  },
  sorts: ['name', 'created_at', 'fired'],
});
export type RulesSearch = SearchOf<typeof rulesSearch>;

/** And that of the editor: the rule that is edited, with a threshold that was offered, or that a new one begins as a copy of. */
export const editorSearch = listSearch({
  filters: {},
  kept: { id, copy: id, threshold: z.string().regex(/^[1-9]\d{0,9}(KB|MB|GB|%)$/) },
});
export type EditorSearch = SearchOf<typeof editorSearch>;

export const ruleTabs = ['runs', 'sims', 'changes'] as const;

/** And that of what became of a rule, or of all of them. */
export const ruleSearch = listSearch({
  filters: {
    iccid: iccidSchema,
    state: z.enum(['waiting', 'done', 'failed']),
    search: textParam(60),
  },
  over: {
    /** The SIM of which it is asked why the rule fired or not. */
    why: iccidSchema,
  },
  kept: { id, tab: z.enum(ruleTabs) },
});
export type RuleSearch = SearchOf<typeof ruleSearch>;

/** And that of the notification templates: the one that is written. */
export const templateSearch = listSearch({
  filters: {},
  over: { template: z.union([z.literal(newOne), id]) },
});
export type TemplateSearch = SearchOf<typeof templateSearch>;
