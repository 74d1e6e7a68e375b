import { endpoints, limits, type Organisation } from '@simcube/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button, Input, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { useDebounced } from '../../lib/debounce/index.ts';
import { useFormat } from '../../lib/format/index.ts';
import { session } from '../../lib/session/index.ts';
import { Pill } from '../../ui/card/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { Failure } from '../../ui/failure/index.ts';
import { Page } from '../../ui/page/index.ts';
import { OrganisationBadge } from './organisation-badge.tsx';
import styles from './organisations-screen.module.css';
import { useSwitchOrganisation } from './use-switch-organisation.ts';

const pageSize = limits.page.sizes[1];

/** The organisations a person belongs to; also where everybody lands who has no current one. */
export const OrganisationsScreen = () => {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const search = useDebounced(text.trim(), limits.searchDebounceMs);
  const query = { page_no: page, page_size: pageSize, ...(search === '' ? {} : { search }) };
  const { data, error, refetch } = useQuery({
    ...endpointQuery(endpoints.org.listMine, { query }),
    placeholderData: keepPreviousData,
  });
  const total = data?.totalCount ?? data?.data.length ?? 0;
  const pages = Math.max(1, Math.ceil(total / pageSize));
  return (
    <Page
      title={t('shell.organisations.title')}
      facts={data ? t('shell.organisations.count', { count: total }) : null}
    >
      {session.currentMembership() ? null : (
        <p className={styles['choose']}>{t('shell.organisations.choose')}</p>
      )}
      <Input
        allowClear
        className={styles['search']}
        aria-label={t('shell.organisations.search')}
        placeholder={t('shell.organisations.search')}
        maxLength={limits.organisationName.max}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setPage(1);
        }}
      />
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Organisations organisations={data?.data} searched={search !== ''} />
      )}
      {pages > 1 ? <Pages page={page} pages={pages} onChange={setPage} /> : null}
    </Page>
  );
};

interface OrganisationsProps {
  organisations: readonly Organisation[] | undefined;
  searched: boolean;
}

const Organisations = ({ organisations, searched }: OrganisationsProps) => {
  const { t } = useTranslation();
  if (!organisations) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
  if (organisations.length === 0) {
    return searched ? (
      <Empty title={t('shell.organisations.noMatchTitle')} hint={t('shell.organisations.noMatchText')} />
    ) : (
      <Empty title={t('shell.organisations.emptyTitle')} hint={t('shell.organisations.emptyText')} />
    );
  }
  return (
    <ul className={styles['list']}>
      {organisations.map((organisation) => (
        <OrganisationCard key={organisation.id} organisation={organisation} />
      ))}
    </ul>
  );
};

const OrganisationCard = ({ organisation }: { organisation: Organisation }) => {
  const { t } = useTranslation();
  const { country, date } = useFormat();
  const switchTo = useSwitchOrganisation();
  const { code, name, role } = organisation;
  const current = session.currentMembership()?.code === code;
  return (
    <li className={styles['card']} data-current={current}>
      <OrganisationBadge name={name} size={34} />
      <div className={styles['names']}>
        <h2 className={styles['name']}>{name}</h2>
        <p className={styles['facts']}>
          {[code, country(organisation.country), t(`common.roles.${role}`)].join(' · ')}
        </p>
        <p className={styles['facts']}>
          {t('shell.organisations.memberSince')} {date(organisation.created_at)}
        </p>
      </div>
      <div className={styles['side']}>
        {organisation.default ? <Pill>{t('shell.organisations.default')}</Pill> : null}
        {current ? (
          <Pill dot="var(--teal)">{t('shell.organisations.current')}</Pill>
        ) : (
          <Button
            aria-label={t('shell.organisations.switchToNamed', { name })}
            onClick={() => switchTo(organisation)}
          >
            {t('shell.organisations.switchTo')}
          </Button>
        )}
      </div>
    </li>
  );
};

interface PagesProps {
  page: number;
  pages: number;
  onChange: (page: number) => void;
}

const Pages = ({ page, pages, onChange }: PagesProps) => {
  const { t } = useTranslation();
  return (
    <div className={styles['pages']}>
      <Button disabled={page <= 1} onClick={() => onChange(page - 1)}>
        {t('shell.organisations.previous')}
      </Button>
      <span>{t('shell.organisations.page', { page, pages })}</span>
      <Button disabled={page >= pages} onClick={() => onChange(page + 1)}>
        {t('shell.organisations.next')}
      </Button>
    </div>
  );
};
