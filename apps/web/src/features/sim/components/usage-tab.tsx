import { endpoints } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { download } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { OnSearchChange } from '../../../lib/search-params/fields.ts';
import { Card } from '../../../ui/card/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { useNow } from '../../../ui/time/index.ts';
import { useSimUsage } from '../api/use-sim.ts';
import { granularities, type SimDetailSearch } from '../search.ts';
import { granularitiesFor, usageSpanOf } from '../usage-span.ts';
import { NetworkShares } from './network-shares.tsx';
import { UsageChart, usageUnitOf } from './usage-chart.tsx';
import { UsageRangePicker } from './usage-range-picker.tsx';
import styles from './usage-tab.module.css';

interface UsageTabProps {
  iccid: string;
  search: SimDetailSearch;
  onSearchChange: OnSearchChange<SimDetailSearch>;
}

export const UsageTab = ({ iccid, search, onSearchChange }: UsageTabProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow(60_000);
  const { range, ...span } = usageSpanOf(search, now);
  const { data: response, error, refetch, isPlaceholderData } = useSimUsage(iccid, span);
  const unit = response && usageUnitOf(response.data);
  const available = granularitiesFor(span, now);
  return (
    <div className={styles['tab']}>
      <div className={styles['tools']}>
        <div className={styles['group']}>
          <UsageRangePicker
            onChange={(next) => onSearchChange({ tab: 'usage', ...next }, 'replace')}
            range={range}
            span={span}
          />
        </div>
        <div className={styles['group']}>
          <Segmented
            label={t('sim.usage.granularity')}
            onChange={(per) => onSearchChange({ ...search, per }, 'replace')}
            options={granularities.map((value) => ({
              value,
              label: t(`sim.usage.${value}`),
              disabled: !available.includes(value),
            }))}
            value={span.granularity}
          />
          <ExportMenu
            onExport={async (format) =>
              saveFile(await download(endpoints.sim.usageExport, { body: { iccid, format, ...span } }))
            }
            subject={t('simDetail.exports.usage')}
          />
        </div>
      </div>
      {error && !response ? (
        <Card>
          <Failure error={error} onRetry={() => void refetch()} />
        </Card>
      ) : (
        <>
          <Card
            aside={
              response ? (
                <strong className={styles['total']}>{format.bytes(response.data.total_bytes).text}</strong>
              ) : null
            }
            extra={
              <span>
                {unit ? t('sim.daily.unitAndCut', { unit }) : t('sim.usage.cutOff')}
                {response && isProvisional(span.to, response.data.provisional_from) ? (
                  <>
                    {' · '}
                    <span title={t('sim.usage.provisionalHint')}>
                      {t('sim.usage.provisional', { date: format.dateTime(response.data.provisional_from) })}
                    </span>
                  </>
                ) : null}
              </span>
            }
            title={t('sim.usage.title')}
          >
            <UsageChart stale={isPlaceholderData} usage={response?.data} />
          </Card>
          <Card title={t('sim.usage.byNetwork')}>
            <NetworkShares usage={response?.data} />
          </Card>
        </>
      )}
    </div>
  );
};

/** Whether the range includes days for which late records may still arrive. */
const isProvisional = (to: string, provisionalFrom: string): boolean =>
  Date.parse(`${to}T23:59:59Z`) >= Date.parse(provisionalFrom);
