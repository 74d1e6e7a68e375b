import { expect, test } from 'vitest';
import { emptyDraft, issuesOf } from './draft.ts';

const draft = emptyDraft({ today: '2026-11-09', zone: 'Europe/Madrid' });

test('an error inside of the selection is one of the selection, which has a field', () => {
  expect(issuesOf({ ...draft, selection: { iccids: ['123'] } })).toHaveProperty('selection');
  expect(issuesOf({ ...draft, selection: { filter: { tags: ['too-long-tag'] } } })).toHaveProperty(
    'selection',
  );
});
