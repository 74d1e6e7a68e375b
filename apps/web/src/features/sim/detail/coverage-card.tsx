import { endpoints } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { download } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import { useSimCoverage } from '../api/use-sim-detail.ts';
import { CountryList } from './country-list.tsx';
import styles from './coverage-card.module.css';

/** The coverage of the bundle in use, and the countries in which this cycle's data was used. */
export const CoverageCard = ({ iccid }: { iccid: string }) => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = useSimCoverage(iccid);
  return (
    <Card
      extra={
        <ExportMenu
          disabled={response?.data.usage.length === 0}
          onExport={async (format) =>
            saveFile(await download(endpoints.bundle.exportCoverage, { body: { iccid, format } }))
          }
          small
          subject={t('simDetail.exports.countries')}
        />
      }
      title={t('simTabs.coverage.title')}
    >
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {response || error ? null : <Loading rows={4} />}
      {response ? (
        <div className={styles['columns']}>
          <div>
            <CountryList countries={response.data.countries} />
            {response.data.countries.length > 0 ? (
              <p className={styles['outside']}>
                {t('simTabs.coverage.outside', {
                  policy: t(`bundle.outOfCoverage.${response.data.out_of_coverage_policy}`),
                })}
              </p>
            ) : null}
          </div>
          <CountryUsage usage={response.data.usage} />
        </div>
      ) : null}
    </Card>
  );
};

type Usage = NonNullable<ReturnType<typeof useSimCoverage>['data']>['data']['usage'];

const CountryUsage = ({ usage }: { usage: Usage }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const total = usage.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total === 0) return <p className={styles['none']}>{t('simTabs.coverage.noUsage')}</p>;
  return (
    <table className={styles['table']}>
      <caption>{t('simTabs.coverage.usage')}</caption>
      <tbody>
        {usage
          .toSorted((one, other) => other.bytes - one.bytes)
          .map(({ country, bytes, covered }) => (
            <tr key={country ?? ''}>
              <th scope="row">
                {country === null ? t('simTabs.coverage.unknownCountry') : format.country(country)}
              </th>
              <td>
                <Status tone={covered ? 'teal' : 'orange'}>
                  {covered ? t('simTabs.coverage.covered') : t('simTabs.coverage.notCovered')}
                </Status>
              </td>
              <td className={styles['share']}>
                <UsageBar label={format.percent(bytes / total, 1)} limit={total} tone="amount" used={bytes} />
              </td>
              <td data-align="end">
                <Bytes value={bytes} />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
};
