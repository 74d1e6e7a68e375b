import { createHash } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { emptyDraft, type RuleFile } from './draft.ts';
import { areUnchanged } from './validated-files.ts';

const content = 'iccid\n89340700000023553065\n';
const digest = createHash('sha256').update(content).digest('hex');
const fileOf = (source: Pick<File, 'arrayBuffer'>): RuleFile => ({
  reference: { upload_id: 'u', digest },
  source: source as File,
  name: 'sims.csv',
  rows: 1,
});
const uploaded = (source: Pick<File, 'arrayBuffer'>) => ({
  ...emptyDraft,
  scope: 'uploaded' as const,
  sims: fileOf(source),
});

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
});

test('a file with the validated content is unchanged', async () => {
  expect(await areUnchanged(uploaded(new Blob([content])))).toBe(true);
});

test('a file modified after validation is changed, also if the browser can’t read it', async () => {
  expect(await areUnchanged(uploaded(new Blob([`${content}89340700000023553073\n`])))).toBe(false);
  const refused = { arrayBuffer: () => Promise.reject(new Error('NotReadableError')) };
  expect(await areUnchanged(uploaded(refused))).toBe(false);
});

test('files that the rule does not use, and stored lists, are not checked', async () => {
  const changed = fileOf(new Blob(['other']));
  expect(await areUnchanged({ ...emptyDraft, sims: changed, imeis: changed })).toBe(true);
  const stored = { reference: { list_id: '3' }, name: 'sims.csv', rows: 1 };
  expect(await areUnchanged({ ...emptyDraft, scope: 'uploaded', sims: stored })).toBe(true);
});
