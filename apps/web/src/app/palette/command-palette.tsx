import { normaliseWidth } from '@simcube/contract';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Operation } from '../../features/sim/commands.ts';
import { Icon } from '../icons.tsx';
import { useActionItems } from './action-items.ts';
import styles from './command-palette.module.css';
import { useGuideItems } from './guide-items.ts';
import {
  matching,
  type PaletteGroup,
  type PaletteItem,
  usePageItems,
  useScreenGroups,
} from './palette-items.ts';
import { useRecentItems, useTaskItems, useViewItems } from './place-items.ts';
import { allSimsKey, type SimItems, useSimItems } from './use-sim-items.tsx';

interface CommandPaletteProps {
  open: boolean;
  onClose: () => void;
  /** The search text when it opens. */
  typed?: string;
}

/**
 * Searches SIMs, tasks, saved views, recent places, pages and all actions. A native dialog traps the focus and makes the page
 * behind it inert. It follows the combobox pattern of the ARIA practices: the focus stays in the field, arrow keys move through
 * the list.
 */
export const CommandPalette = ({ open, onClose, typed = '' }: CommandPaletteProps) => {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; by keyboard Escape closes a dialog.
    <dialog
      ref={dialog}
      className={styles['palette']}
      aria-label={t('shell.palette.title')}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {open ? <Palette onClose={onClose} initialText={typed} /> : null}
    </dialog>
  );
};

type GroupKey = 'sims' | 'tasks' | 'recent' | 'views' | 'pages' | 'actions' | 'guide';

/** All results for the typed text, the best matches first; after an operation was picked, only the SIMs that it applies to. */
const useGroups = (typed: string, operation: Operation | undefined, onPick: (name: Operation) => void) => {
  const { t } = useTranslation();
  const sims = useSimItems(typed, operation);
  const group = (key: GroupKey, items: readonly PaletteItem[]): PaletteGroup => ({
    key,
    heading: t(`shell.palette.${key}`),
    items,
  });
  const matchingGroup = (key: GroupKey, items: readonly PaletteItem[]) => group(key, matching(items, typed));
  const allGroups = [
    ...useScreenGroups().map((one) => ({ ...one, items: matching(one.items, typed) })),
    group('sims', sims.items),
    ...(sims.actionsOnOne ? [sims.actionsOnOne] : []),
    group('tasks', useTaskItems(typed)),
    matchingGroup('recent', useRecentItems()),
    matchingGroup('views', useViewItems()),
    matchingGroup('pages', usePageItems()),
    matchingGroup('actions', useActionItems(onPick)),
    matchingGroup('guide', useGuideItems()),
  ];
  const groups = operation ? [group('sims', sims.items)] : allGroups;
  return { sims, groups: groups.filter(({ items }) => items.length > 0) };
};

const Palette = ({ onClose, initialText }: { onClose: () => void; initialText: string }) => {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(initialText);
  const [appliedText, setAppliedText] = useState(initialText);
  if (initialText !== appliedText) {
    setAppliedText(initialText);
    setTyped(initialText);
  }
  const [operation, setOperation] = useState<Operation | undefined>();
  const pick = (name: Operation | undefined): void => {
    setOperation(name);
    setTyped('');
  };
  const query = normaliseWidth(typed);
  const { sims, groups } = useGroups(query, operation, pick);
  const items = groups.flatMap((group) => group.items);
  const placeholder = operation
    ? t('shell.palette.whichSim', { action: t(`operations.titles.${operation}`) })
    : t('shell.palette.placeholder');
  const list = useId();
  const { active, onKeyDown, choose } = useListKeys(items, typed, onClose);
  return (
    <div className={styles['panel']}>
      <div className={styles['field']}>
        <Icon name="search" />
        <input
          className={styles['input']}
          role="combobox"
          // biome-ignore lint/a11y/noAutofocus: the palette is opened in order to type in it.
          autoFocus
          aria-expanded
          aria-autocomplete="list"
          aria-controls={list}
          aria-activedescendant={active === null ? undefined : `${list}-${active}`}
          aria-label={placeholder}
          placeholder={placeholder}
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            // In an empty field, Backspace returns to the previous step.
            if (event.key === 'Backspace' && typed === '') pick(undefined);
            onKeyDown(event);
          }}
        />
      </div>
      <div id={list} role="listbox" aria-label={t('shell.palette.title')} className={styles['list']}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options; a fieldset is for form controls.
          <div key={group.key} role="group" aria-labelledby={`${list}-${group.key}`}>
            <div id={`${list}-${group.key}`} className={styles['heading']}>
              {group.heading}
            </div>
            {group.items.map((item) => (
              <Option
                key={item.key}
                id={`${list}-${item.key}`}
                item={item}
                selected={item.key === active}
                onChoose={choose}
              />
            ))}
          </div>
        ))}
      </div>
      <Footer
        resultCount={items.filter(({ key }) => key !== allSimsKey).length + sims.more}
        sims={sims}
        typed={query}
      />
    </div>
  );
};

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 };

const useListKeys = (items: readonly PaletteItem[], typed: string, onClose: () => void) => {
  const [chosen, setChosen] = useState<{ typed: string; key: string } | null>(null);
  // The first result is active, so that Enter opens it, until the person moves.
  const isStillListed = chosen?.typed === typed && items.some((item) => item.key === chosen.key);
  const active = isStillListed && chosen ? chosen.key : (items[0]?.key ?? null);
  const choose = (item: PaletteItem): void => {
    if (!item.keepsOpen) onClose();
    item.run();
  };
  /** A single step wraps around at the ends; a jump stops there. */
  const move = (from: number, by: number): void => {
    const { length } = items;
    const to = from + by;
    const item = items[Math.abs(by) === 1 ? (to + length) % length : Math.max(0, Math.min(to, length - 1))];
    if (item) setChosen({ typed, key: item.key });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const at = items.findIndex((item) => item.key === active);
    const item = items[at];
    if (event.key === 'Enter' && item) choose(item);
    else if (Object.hasOwn(steps, event.key)) move(at, steps[event.key] ?? 0);
    else return;
    event.preventDefault();
  };
  return { active, choose, onKeyDown };
};

interface OptionProps {
  id: string;
  item: PaletteItem;
  selected: boolean;
  onChoose: (item: PaletteItem) => void;
}

const Option = ({ id, item, selected, onChoose }: OptionProps) => {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (selected) element.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled in the field.
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={selected}
      className={styles['option']}
      onClick={() => onChoose(item)}
    >
      <Icon name={item.icon} size={14} />
      {item.label}
    </div>
  );
};

const keyHints = [
  { keys: '↑↓', hint: 'shell.palette.hintMove' },
  { keys: '↵', hint: 'shell.palette.hintOpen' },
  { keys: 'esc', hint: 'shell.palette.hintClose' },
] as const;

/** The state of the search, also announced to screen readers, and the keys' functions. */
const Footer = ({ sims, resultCount, typed }: { sims: SimItems; resultCount: number; typed: string }) => {
  const { t } = useTranslation();
  const status = (): string => {
    if (sims.state === 'searching') return t('shell.palette.searching');
    if (sims.state === 'failed') return t('shell.palette.failed');
    if (resultCount === 0) return t('shell.palette.nothing', { query: typed.trim() });
    return typed.trim() === '' ? '' : t('shell.palette.results', { count: resultCount });
  };
  return (
    <div className={styles['foot']}>
      <span role="status">{status()}</span>
      <span className={styles['hints']} aria-hidden="true">
        {keyHints.map(({ keys, hint }) => (
          <span key={hint}>
            <kbd>{keys}</kbd> {t(hint)}
          </span>
        ))}
      </span>
    </div>
  );
};
