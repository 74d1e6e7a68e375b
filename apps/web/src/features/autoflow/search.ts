import { iccidSchema } from '@simcube/contract';
import { z } from 'zod';
import { instantParam, textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';

const id = z.string().regex(/^\d{1,18}$/);
/** Replaces the id of an object that is being created. */
export const newOne = 'new';
const conditions = ['enabled', 'disabled', 'waiting', 'ended', 'failing'] as const;

/**
 * Search parameters of the rules. Triggers and scopes are checked against the contract where they are shown, so that the
 * console's first page need not load it.
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

/**
 * Search parameters of the editor: the rule being edited, with a suggested threshold, or the rule that a new one is copied from.
 */
export const editorSearch = listSearch({
  filters: {},
  preserved: { id, copy: id, threshold: z.string().regex(/^[1-9]\d{0,9}(KB|MB|GB|%)$/) },
});
export type EditorSearch = SearchOf<typeof editorSearch>;

export const ruleTabs = ['rule', 'runs', 'sims', 'changes'] as const;

/** Search parameters of the history of a rule, or of all rules. */
export const ruleSearch = listSearch({
  filters: {
    iccid: iccidSchema,
    state: z.enum(['waiting', 'done', 'failed']),
    from: instantParam,
    to: instantParam,
    /** In the history of all rules: the rule to which it is limited. */
    rule: id,
    search: textParam(60),
  },
  overlays: {
    /** The SIM for which the drawer explains why the rule fired or not. */
    why: iccidSchema,
  },
  preserved: { id, tab: z.enum(ruleTabs) },
});
export type RuleSearch = SearchOf<typeof ruleSearch>;

/** Search parameters of the notification templates: the one being edited. */
export const templateSearch = listSearch({
  filters: {},
  overlays: { template: z.union([z.literal(newOne), id]) },
});
export type TemplateSearch = SearchOf<typeof templateSearch>;
