import { plainKind } from '../event-words.ts';
import type { TraceTopic } from '../search.ts';

const topics: Readonly<Record<string, TraceTopic>> = {
  imported: 'lifecycle',
  activated: 'lifecycle',
  suspended: 'lifecycle',
  resumed: 'lifecycle',
  expired: 'lifecycle',
  renewed: 'lifecycle',
  terminated: 'lifecycle',
  'lifecycle-changed': 'lifecycle',
  'pre-activation-ended': 'lifecycle',
  'first-use': 'lifecycle',
  transferred: 'lifecycle',
  'bundle-ordered': 'orders',
  'bundle-started': 'orders',
  'bundle-ended': 'orders',
  'cycle-started': 'orders',
  'usage-reached': 'usage',
  'quota-reached': 'usage',
  overage: 'usage',
  'data-stopped': 'usage',
  'data-slowed': 'usage',
  'data-opened': 'usage',
  'imei-changed': 'device',
  updated: 'device',
  'tags-changed': 'device',
  reset: 'network',
  'session-started': 'network',
  'session-stopped': 'network',
  'network-changed': 'network',
  'ip-changed': 'network',
  rejected: 'network',
};

/** What an entry is about; a kind that is newer than this console is "other", never lost. */
export const topicOf = (kind: string): TraceTopic => topics[plainKind(kind)] ?? 'other';
