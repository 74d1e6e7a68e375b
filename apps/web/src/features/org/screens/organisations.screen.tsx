import { endpoints, isAdmin, limits } from '@simcube/contract';
import type { ListedOrganisation } from '@simcube/contract/org';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, call, endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { readMemberships } from '../../../lib/memberships/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { session } from '../../../lib/session/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { type ActionItem, ActionMenu } from '../../../ui/action-menu/index.ts';
import { ListScreen, useList, usePageQuery } from '../../../ui/list-screen/index.ts';
import { refetchOrganisations } from '../api.ts';
import { DeleteOrganisationDialog } from '../components/delete-dialog.tsx';
import { useOrganisationColumns } from '../components/organisation-columns.tsx';
import { isAdminHere, settingsHref, useCurrentCode } from '../org-context.ts';
import { type OrganisationSearch, organisationSearch } from '../search.ts';
import styles from './organisations.module.css';

const noOrganisations: readonly ListedOrganisation[] = [];

/** The organisations of a person; also the start page for people without a current organisation. */
export const OrganisationsScreen = (address: SearchScreenProps<OrganisationSearch>) => {
  const { t } = useTranslation();
  const router = useRouter();
  const { language } = useFormat();
  const current = useCurrentCode();
  const [deleted, setDeleted] = useState<ListedOrganisation>();
  const filter = organisationSearch.filterOf(address.search);
  const query = usePageQuery(address.search, (page) =>
    endpointQuery(endpoints.org.listMine, { query: { ...filter, ...page } }),
  );
  const queries = useQueryClient();
  useLive('account.changed', ({ userId }) => {
    if (userId !== session.get('userId')) return;
    void queries.invalidateQueries({ queryKey: [endpoints.org.listMine.id] });
  });
  const organisations = query.data?.data ?? noOrganisations;
  useStoreChanges(organisations);
  const list = useList({
    name: 'organisations',
    of: organisationSearch,
    address,
    query,
    columns: useOrganisationColumns(organisations),
  });
  const menuOf = useOrganisationMenu(setDeleted);
  return (
    <ListScreen
      actions={
        isAdminHere() ? (
          <Button onClick={() => router.history.push(`/${language}/orgscreate`)} type="primary">
            {t('shell.organisations.new')}
          </Button>
        ) : null
      }
      counts={
        current === null && organisations.length > 0 ? (
          <p className={styles['choose']}>{t('shell.organisations.choose')}</p>
        ) : null
      }
      empty={{ title: t('shell.organisations.emptyTitle'), hint: t('shell.organisations.emptyText') }}
      facts={list.count ? t('shell.organisations.count', { count: list.count.total }) : null}
      label={t('shell.organisations.title')}
      list={list}
      noMatch={{ title: t('shell.organisations.noMatchTitle'), hint: t('shell.organisations.noMatchText') }}
      quickSearch={{
        placeholder: t('shell.organisations.search'),
        maxLength: limits.organisationName.max,
      }}
      rowActions={(organisation) => {
        const items = menuOf(organisation);
        return items.length === 0 ? null : (
          <ActionMenu items={items} label={t('org.rowMenu', { name: organisation.name })} />
        );
      }}
      rowKey={({ id }) => id}
      title={t('shell.organisations.title')}
    >
      <DeleteOrganisationDialog onClose={() => setDeleted(undefined)} organisation={deleted} />
    </ListScreen>
  );
};

/** Switcher and header must not say something else than this list. */
const useStoreChanges = (organisations: readonly ListedOrganisation[]): void => {
  useEffect(() => {
    const stored = session.memberships();
    const isComplete = stored.length < limits.organisationsAtSignIn;
    const read = stored.slice(0, limits.organisationsAtSignIn);
    // Those beyond the stored ones would be as unknown after reading them again.
    const isOutdated = ({ code, name, role }: ListedOrganisation): boolean => {
      const one = read.find((known) => known.code === code);
      return one ? one.name !== name || one.role !== role : isComplete;
    };
    if (organisations.some(isOutdated)) readMemberships().catch(() => undefined);
  }, [organisations]);
};

/** A server of the version before lists only the parent. */
const isAbove = (code: string, { above, parent_code: parent }: FormerlyListed): boolean =>
  above?.includes(code) ?? parent === code;

type FormerlyListed = Pick<ListedOrganisation, 'parent_code'> & Partial<Pick<ListedOrganisation, 'above'>>;

const useOrganisationMenu = (
  onDelete: (organisation: ListedOrganisation) => void,
): ((of: ListedOrganisation) => ActionItem[]) => {
  const { t } = useTranslation();
  const router = useRouter();
  const { language } = useFormat();
  const queries = useQueryClient();
  const current = useCurrentCode();
  const makeDefault = async ({ id, name }: ListedOrganisation): Promise<void> => {
    await attempt(async () => {
      await call(endpoints.org.chooseDefault, { params: { orgId: id }, body: { default: true } });
      toast.success(t('org.defaultChosen', { name }));
    });
    refetchOrganisations(queries);
  };
  return (organisation) => {
    const { code, default: isDefault, role } = organisation;
    // It can be deleted only from above.
    const isBelow = isAdminHere() && current !== null && isAbove(current, organisation);
    // Settings are requested on behalf of a current organisation, which determines the person's role.
    const canOpenSettings =
      current !== null && (code === current || isBelow || isAdmin(role)) && isAdminHere();
    return [
      ...(isDefault
        ? []
        : [
            {
              key: 'default',
              label: t('org.actions.makeDefault'),
              onClick: () => void makeDefault(organisation),
            },
          ]),
      ...(canOpenSettings
        ? [
            {
              key: 'settings',
              label: t('org.actions.settings'),
              onClick: () => router.history.push(settingsHref(language, code === current ? undefined : code)),
            },
          ]
        : []),
      ...(isBelow
        ? [
            {
              key: 'delete',
              label: t('org.actions.delete'),
              danger: true,
              separated: true,
              onClick: () => onDelete(organisation),
            },
          ]
        : []),
    ];
  };
};
