import { useFormat } from '../../lib/format/index.ts';
import { AsOf } from '../time/index.ts';

/** A number of rows in words, with their noun. */
export type Counted = (values: { count: number; shown: string }) => string;

interface CountFactsProps {
  total: number;
  /** `gte`: there are more. */
  relation: 'eq' | 'gte';
  /** ISO instant at which the rows were current. */
  asOf: string | null;
  counted: Counted;
}

/** A number of rows, and the time of the data. */
export const CountFacts = ({ total, relation, asOf, counted }: CountFactsProps) => {
  const { count } = useFormat();
  const shown = `${count(total)}${relation === 'gte' ? '+' : ''}`;
  return (
    <span>
      <span aria-live="polite">{counted({ count: total, shown })}</span>
      {asOf === null ? null : (
        <>
          {' · '}
          <AsOf at={asOf} />
        </>
      )}
    </span>
  );
};
