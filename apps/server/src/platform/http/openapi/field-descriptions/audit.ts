import type { FieldDescriptions } from './types.ts';

export const audit: FieldDescriptions = {
  search: 'Part of the name of the actor or the subject',
  'body.action': 'Any of these actions',
  actor_id: 'UUID of the person or API key that did it',
  'body.number': 'Only the entry with this number',
  from: 'Start (UTC) of the period, inclusive',
  to: 'End (UTC) of the period, exclusive',
  action: 'What was done',
  subject: 'What it was done to',
  'subject.kind': 'Kind of the subject',
  'subject.id': 'ID of the subject, of its kind: ICCID, task reference, UUID of a person …',
  'subject.name': 'Name of the subject at that time',
  address: 'IP address of the caller; null if it was not a call',
  hash: 'SHA-256 (hexadecimal) of this entry and the hash of the previous one: a changed or missing entry breaks the chain',
};
