import { limits } from '@simcube/contract';
import type { ApiCall } from '@simcube/contract/developer';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { ListPanel, useFilterBuilder, useList } from '../../../ui/list-screen/index.ts';
import { SafeText } from '../../../ui/safe-text/index.ts';
import { momentWidth, Time } from '../../../ui/time/index.ts';
import { useKeyName, useKeys } from '../keys/use-keys.ts';
import { codeClasses, type DeveloperSearch, developerSearch } from '../search.ts';
import { HttpCode } from './http-code.tsx';
import { callMethods, useCalls } from './use-calls.ts';

/** Calls made with the account's keys. */
export const CallsPanel = (address: SearchScreenProps<DeveloperSearch>) => {
  const { t } = useTranslation();
  const nameOf = useKeyName();
  const keys = useKeys().data?.data ?? [];
  const list = useList({
    name: 'api-calls',
    of: developerSearch,
    address,
    query: useCalls(address.search),
    columns: useCallColumns(),
  });
  const by = useFilterBuilder(list);
  return (
    <ListPanel
      current={list.search.call}
      empty={{ title: t('developer.calls.empty'), hint: t('developer.calls.emptyHint') }}
      filters={[
        by.instants(['from', 'to'], { id: 'period', label: t('developer.period') }),
        by.words('code', {
          label: t('developer.calls.code'),
          placeholder: t('developer.calls.codeHint'),
          suggestions: codeClasses,
          max: limits.apiLog.codes,
        }),
        by.some('method', {
          label: t('developer.calls.method'),
          options: callMethods.map((value) => ({ value, label: value })),
        }),
        by.some('key', {
          label: t('developer.calls.key'),
          options: keys.map((key) => ({ value: key.id, label: nameOf(key) })),
        }),
      ]}
      label={t('developer.tabs.calls')}
      list={list}
      noMatch={{ title: t('developer.calls.noMatch'), hint: t('developer.noMatchHint') }}
      quickSearch={{ placeholder: t('developer.calls.search'), maxLength: limits.apiLog.path }}
      rowHref={({ trace_id: call }) => list.hrefWith({ call })}
      rowKey={({ trace_id: id }) => id}
    />
  );
};

const useCallColumns = (): Column<ApiCall>[] => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const nameOf = useKeyName();
  return useMemo(
    () => [
      {
        id: 'time',
        title: t('developer.time'),
        width: momentWidth,
        fixed: true,
        phone: 'heading',
        render: ({ requested_at: at }, href) => (
          <Link href={href}>
            <Time at={at} style="moment" />
          </Link>
        ),
      },
      {
        id: 'method',
        title: t('developer.calls.method'),
        width: 84,
        phone: 'line',
        render: ({ method }) => <code>{method}</code>,
      },
      {
        id: 'path',
        title: t('developer.calls.path'),
        width: 330,
        phone: 'line',
        render: ({ path }) => (
          <code>
            <SafeText oneLine text={path} />
          </code>
        ),
      },
      {
        id: 'code',
        title: t('developer.calls.code'),
        width: 84,
        phone: 'aside',
        render: ({ http_code: code }) => <HttpCode code={code} />,
      },
      {
        id: 'took',
        title: t('developer.calls.took'),
        width: 92,
        align: 'end',
        render: ({ duration_ms: ms }) => t('developer.ms', { shown: count(ms) }),
      },
      {
        id: 'key',
        title: t('developer.calls.key'),
        width: 150,
        phone: 'line',
        render: ({ key }) => <SafeText oneLine text={nameOf(key)} />,
      },
      { id: 'ip', title: t('developer.calls.ip'), width: 130, render: ({ ip }) => <code>{ip}</code> },
      {
        id: 'trace',
        title: t('developer.calls.trace'),
        width: 320,
        initiallyHidden: true,
        render: ({ trace_id: id }) => <Identifier copy label={t('developer.calls.trace')} value={id} />,
      },
    ],
    [t, count, nameOf],
  );
};
