import type { SimRow } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { AsOf } from '../../../ui/time/index.ts';

/** How many SIMs, as of when. */
export const ListFacts = ({
  answer,
  filtered,
}: {
  answer: Answer<SimRow[]> | undefined;
  filtered: boolean;
}) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (!answer || answer.totalCount === null) return null;
  const shown = `${format.count(answer.totalCount)}${answer.totalRelation === 'gte' ? '+' : ''}`;
  return (
    <span aria-live="polite">
      {filtered ? t('sim.list.matching', { shown }) : shown} · <AsOf at={answer.asOf} />
    </span>
  );
};
