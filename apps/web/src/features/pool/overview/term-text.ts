import type { Pool, PoolSettings, PoolTermKind } from '@simcube/contract/pool';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { StackColour } from '../../../ui/chart/index.ts';

const colours: Record<PoolTermKind, StackColour> = {
  standard: 'amount',
  'pro-rata': 'teal',
  increase: 'purple',
  decrease: 'orange',
};

export const termColour = (kind: PoolTermKind): StackColour => colours[kind];

type Term = PoolSettings['terms'][number];

/** Whose contribution a part of the limit is, or when the operator changed it. */
export const useTermText = ({ base_limit_bytes: base }: Pool): ((term: Term) => string) => {
  const { t } = useTranslation();
  const { bytes, count, shortDate } = useFormat();
  return ({ kind, sims, at }) =>
    t(`pool.limit.terms.${kind}`, {
      count: sims,
      shown: count(sims),
      base: bytes(base).text,
      day: at === null ? '' : shortDate(at),
    });
};
