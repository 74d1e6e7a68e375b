import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../lib/chunks/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { PlaceName } from '../../../ui/place/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { hasOutline, WorldMap } from '../../../ui/world-map/index.ts';
import { useSimDetails } from '../api/use-sim-detail.ts';
import { networkText } from '../sim-display.ts';
import styles from './location-tab.module.css';

// Separate from the others: it needs the calls about CDRs.
const CellsCard = lazyPart(async () => (await import('./cells-card.tsx')).CellsCard);

/** Where the SIM is, and where it used data. */
export const LocationTab = ({ iccid }: { iccid: string }) => (
  <div className={styles['tab']}>
    <LastLocation iccid={iccid} />
    {session.can('cdr') ? (
      <Suspense
        fallback={
          <Card>
            <Loading rows={5} />
          </Card>
        }
      >
        <CellsCard iccid={iccid} />
      </Suspense>
    ) : null}
  </div>
);

/** The SIM's last location: the place of its cell, or the country of its network. */
const LastLocation = ({ iccid }: { iccid: string }) => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = useSimDetails(iccid);
  return (
    <Card title={t('simTabs.location.title')}>
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {response || error ? null : (
        <div className={styles['waiting']}>
          <Loading rows={8} />
        </div>
      )}
      {response ? (
        <LocationDetails connection={response.data.connection} location={response.data.location} />
      ) : null}
    </Card>
  );
};

type Details = NonNullable<ReturnType<typeof useSimDetails>['data']>['data'];

const LocationDetails = ({
  connection: { session: last },
  location,
}: Pick<Details, 'connection' | 'location'>) => {
  const { t } = useTranslation();
  const format = useFormat();
  const network = last?.network ?? null;
  const country = network?.country ?? null;
  if (!location && country === null) {
    return <Empty hint={t('simTabs.location.noneHint')} title={t('simTabs.location.none')} />;
  }
  const name = country === null ? '' : format.country(country);
  const coordinates = location && {
    latitude: format.degrees(location.latitude),
    longitude: format.degrees(location.longitude),
  };
  const label = location
    ? t('simTabs.location.byCell', { cell: location.cell, ...coordinates })
    : t('simTabs.location.byCountry', { country: name });
  const cell = location?.cell ?? last?.cell;
  return (
    <div className={styles['place']}>
      <div className={styles['map']}>
        <Suspense fallback={<div className={styles['pending']} />}>
          <WorldMap
            countries={country === null ? [] : [country]}
            label={label}
            point={location ?? undefined}
          />
        </Suspense>
        <p className={styles['note']}>
          {location ? t('simTabs.location.mobile') : t('simTabs.location.coarse')}
          {country !== null && !location && !hasOutline(country)
            ? ` ${t('simTabs.location.tooSmall', { country: name })}`
            : null}
        </p>
      </div>
      <DescriptionList
        items={[
          {
            term: t('simTabs.location.place'),
            value: location && <PlaceName at={location} />,
          },
          { term: t('simTabs.location.country'), value: name },
          { term: t('simTabs.location.network'), value: network && networkText(network) },
          {
            term: t('simTabs.location.cell'),
            value: cell ? <Identifier copy label={t('simTabs.location.cell')} value={cell} /> : null,
          },
          {
            term: t('simTabs.location.coordinates'),
            value: coordinates && `${coordinates.latitude}, ${coordinates.longitude}`,
          },
          {
            term: t('simTabs.location.seen'),
            value: <Time at={location?.at ?? last?.updated_at ?? null} style="exact" />,
          },
        ]}
      />
    </div>
  );
};
