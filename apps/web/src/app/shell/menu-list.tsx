import { endpoints } from '@simcube/contract';
import { ruleCountEndpoint } from '@simcube/contract/autoflow';
import { useQuery } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { Tooltip } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProcessingTasks } from '../../features/task/index.ts';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { useFormat } from '../../lib/format/index.ts';
import { useLanguage } from '../../lib/language/index.ts';
import { useSession } from '../../lib/session/index.ts';
import { Link } from '../../ui/link/index.ts';
import { Icon } from '../icons.tsx';
import { type MenuEntry, mayOpen, menu, menuKeyOf } from '../menu.ts';
import styles from './menu-list.module.css';

/** The entries that this role may see, in groups, with the number of pending items of each. */
export const MenuList = ({ collapsed = false }: { collapsed?: boolean }) => {
  const { t } = useTranslation();
  const active = useMatches({ select: (matches) => menuKeyOf(matches.at(-1)?.pathname ?? '') });
  const groups = menu
    .map((group) => ({ ...group, entries: group.entries.filter(mayOpen) }))
    .filter((group) => group.entries.length > 0);
  return (
    <nav className={styles['menu']} aria-label={t('shell.menu.label')} data-collapsed={collapsed}>
      {groups.map(({ key, heading, entries }) => (
        <div key={key} className={styles['group']}>
          {heading === null ? null : <h2 className={styles['heading']}>{t(heading)}</h2>}
          <ul className={styles['entries']}>
            {entries.map((entry) => (
              <Entry active={active} collapsed={collapsed} entry={entry} key={entry.key} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
};

interface EntryProps {
  entry: MenuEntry;
  /** Key of the current page. */
  active: string | null;
  collapsed: boolean;
}

/** A page, or several below their heading; if collapsed, only their icons. */
const Entry = ({ entry, active, collapsed }: EntryProps) => {
  const pages = entry.pages?.filter(mayOpen) ?? [];
  if (entry.pages === undefined) {
    return (
      <li>
        <EntryLink collapsed={collapsed} current={entry.key === active} entry={entry} />
      </li>
    );
  }
  if (!collapsed) return <Branch active={active} entry={entry} pages={pages} />;
  return pages.map((page) => (
    <li key={page.key}>
      <EntryLink collapsed current={page.key === active} entry={page} />
    </li>
  ));
};

interface BranchProps {
  entry: MenuEntry;
  pages: readonly MenuEntry[];
  active: string | null;
}

/** Expanded while one of its pages is shown, unless the person collapses it, and whenever the person expands it. */
const Branch = ({ entry, pages, active }: BranchProps) => {
  const { t } = useTranslation();
  const id = useId();
  const isWithin = pages.some(({ key }) => key === active);
  const [chosen, setChosen] = useState<{ open: boolean; isWithin: boolean }>();
  const open = chosen?.isWithin === isWithin ? chosen.open : isWithin;
  return (
    <li>
      <div className={styles['branch']} data-within={isWithin}>
        <EntryLink collapsed={false} current={false} entry={entry} />
        <button
          aria-controls={id}
          aria-expanded={open}
          aria-label={t('shell.menu.pagesOf', { name: t(entry.label) })}
          onClick={() => setChosen({ open: !open, isWithin })}
          type="button"
        >
          <Icon name="chevron" />
        </button>
      </div>
      <ul className={styles['pages']} hidden={!open} id={id}>
        {pages.map((page) => (
          <li key={page.key}>
            <EntryLink collapsed={false} current={page.key === active} entry={page} plain />
          </li>
        ))}
      </ul>
    </li>
  );
};

interface EntryLinkProps {
  entry: MenuEntry;
  current: boolean;
  collapsed: boolean;
  /** Without an icon: its heading has one. */
  plain?: boolean;
}

const EntryLink = ({ entry, current, collapsed, plain = false }: EntryLinkProps) => {
  const { t } = useTranslation();
  const language = useLanguage();
  const label = t(entry.label);
  const link = (
    <Link
      href={`/${language}/${entry.path}`}
      className={styles['entry']}
      aria-current={current ? 'page' : undefined}
      aria-label={collapsed ? label : undefined}
    >
      {plain ? null : <Icon name={entry.icon} />}
      {collapsed ? null : (
        <>
          <span className={styles['label']}>{label}</span>
          {entry.key === 'simCard' ? <SimCount /> : null}
          {entry.key === 'shared' ? <PoolCount /> : null}
          {entry.key === 'autoflow' ? <RuleCount /> : null}
          {entry.key === 'taskcenter' ? <TaskCount /> : null}
        </>
      )}
    </Link>
  );
  return collapsed ? (
    <Tooltip title={label} placement="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
};

const SimCount = () => {
  const { count } = useFormat();
  const { data } = useQuery({ ...endpointQuery(endpoints.dashboard.lifecycleCount), staleTime: 60_000 });
  return data ? <span className={styles['count']}>{count(data.data.total)}</span> : null;
};

const PoolCount = () => {
  const { count } = useFormat();
  const pools = useSession('sharedPool');
  return pools ? <span className={styles['count']}>{count(pools.length)}</span> : null;
};

const RuleCount = () => {
  const { count } = useFormat();
  const { data } = useQuery({ ...endpointQuery(ruleCountEndpoint), staleTime: 60_000 });
  return data ? <span className={styles['count']}>{count(data.data.rules)}</span> : null;
};

const TaskCount = () => {
  const { count } = useFormat();
  const tasks = useProcessingTasks();
  return tasks > 0 ? <span className={styles['count']}>{count(tasks)}</span> : null;
};
