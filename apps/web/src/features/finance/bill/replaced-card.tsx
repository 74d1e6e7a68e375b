import type { BillLine, BillVersion } from '@simcube/contract/finance';
import { Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import styles from './bill.module.css';
import { countChanges } from './compared-lines.ts';
import { Difference } from './difference.tsx';

interface ReplacedProps {
  version: BillVersion;
  /** All lines of this version and of the previous one; undefined if they are not loaded, or too many. */
  lines: readonly BillLine[] | undefined;
  previousLines: readonly BillLine[] | undefined;
  shown: boolean;
  onShow: (shown: boolean) => void;
}

/** What this version replaced, how the bill changed, and why. */
export const ReplacedCard = ({ version, lines, previousLines, shown, onShow }: ReplacedProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const { bill, replaces } = version;
  if (!replaces) return null;
  const { changed, all } =
    lines && previousLines ? countChanges(previousLines, lines) : { changed: undefined, all: 0 };
  return (
    <Card>
      <div className={styles['replaced']}>
        <p>
          <b>
            {t('finance.replaces', {
              version: bill.version,
              before: replaces.version,
              // A draft is not issued yet.
              issued: calendar.businessDate(bill.issued_at ?? bill.computed_at),
              former: calendar.businessDate(replaces.issued_at),
            })}
          </b>
          <span>
            {changed === undefined
              ? t('finance.total')
              : t('finance.changedLines', {
                  count: all,
                  shown: format.count(changed),
                  all: format.count(all),
                })}{' '}
            <Difference currency={bill.currency} minor={bill.total_minor - replaces.total_minor} />
          </span>
          <span>{replaces.reason}</span>
        </p>
        <span>
          {t('finance.showChanges')}{' '}
          <Switch aria-label={t('finance.showChanges')} checked={shown} onChange={onShow} size="small" />
        </span>
      </div>
    </Card>
  );
};
