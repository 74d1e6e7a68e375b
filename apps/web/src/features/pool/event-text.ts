import type { PoolEvent, PoolEventKind } from '@simcube/contract/pool';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import type { Tone } from '../../ui/status/index.ts';

const tones: Record<PoolEventKind, Tone> = {
  'pool setup': 'grey',
  'SIM enrollment': 'teal',
  'SIM exit': 'grey',
  'pool limit increase': 'teal',
  'pool limit decrease': 'orange',
  'pool overage': 'red',
  'overage recovery': 'teal',
  'new pool launch': 'purple',
};

export const eventTone = (kind: PoolEventKind): Tone => tones[kind];

/** Details of an event as text: the number of SIMs or bytes, and who caused it. */
export const useEventDetail = (): ((event: PoolEvent) => string) => {
  const { t } = useTranslation();
  const { bytes, count } = useFormat();
  return ({ kind, sims, by, limit_before_bytes: before, limit_after_bytes: after }) => {
    const changeText = () =>
      t(`pool.events.about.${kind}`, {
        count: sims,
        shown: count(sims),
        bytes: bytes(Math.abs(after - before)).text,
      });
    const text = kind === 'pool overage' && sims === 0 ? t('pool.events.usedUp') : changeText();
    return by === null ? text : t('pool.events.by', { what: text, by });
  };
};
