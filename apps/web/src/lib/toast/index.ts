import { limits } from '@simcube/contract';
import { createStore } from '../store/index.ts';

export type ToastKind = 'error' | 'warning' | 'success' | 'info';

export interface Toast extends ToastContent {
  id: number;
}

interface ToastContent {
  kind: ToastKind;
  text: string;
  /** Small print below the text, for example the trace id to quote. */
  note: string | null;
  /** Link to more information. */
  link: ToastLink | null;
  /** Progress of something that is still running. */
  progress: ToastProgress | null;
  actions: readonly ToastAction[];
}

export interface ToastLink {
  href: string;
  label: string;
}

/** An action of the toast: a button or a link. */
export type ToastAction =
  | { label: string; onPress: () => void; busy?: boolean }
  | { label: string; href: string };

export interface ToastProgress {
  done: number;
  total: number;
  /** The progress as text. */
  label: string;
}

interface ToastOptions {
  note?: string | null;
  link?: ToastLink | null;
}

/** A toast that follows something: shown again under its key, it replaces its previous content. */
export interface KeyedToast extends ToastContent {
  key: string;
  /** Still running: only a person, or a newer toast, removes it. */
  sticky: boolean;
  /** It was dismissed, expired, or was displaced by newer ones. */
  onRemoved: () => void;
}

/** Errors, and toasts with actions, stay longer: there is more to read or to decide. */
const shownMs = { error: 8_000, warning: 8_000, success: 4_000, info: 5_000 } as const;
const withActionsMs = 15_000;

interface Entry {
  toast: Toast;
  key: string | undefined;
  /** Null: until it is dismissed. */
  ms: number | null;
  onRemoved: (() => void) | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

let entries: readonly Entry[] = [];
const shown = createStore<readonly Toast[]>([]);
let lastId = 0;
/** Toasts that are hovered or focused. While there are any, none disappears automatically. */
const pins = { pointer: new Set<number>(), focus: new Set<number>() };
type Pin = keyof typeof pins;
const isPinned = (id: number): boolean => pins.pointer.has(id) || pins.focus.has(id);
const anyPinned = (): boolean => pins.pointer.size + pins.focus.size > 0;

const update = (next: readonly Entry[]): void => {
  entries = next;
  shown.set(entries.map(({ toast: one }) => one));
};

const startTimer = (one: Entry): void => {
  clearTimeout(one.timer);
  if (one.ms !== null && !anyPinned()) one.timer = setTimeout(() => dismiss(one.toast.id), one.ms);
};

const remove = (removed: Entry): void => {
  clearTimeout(removed.timer);
  update(entries.filter((one) => one !== removed));
  release(removed.toast.id, 'pointer');
  release(removed.toast.id, 'focus');
};

const dismiss = (id: number): void => {
  const removed = entries.find(({ toast: one }) => one.id === id);
  if (!removed) return;
  remove(removed);
  removed.onRemoved?.();
};

/** Removes the toast of something that is no longer followed. */
const drop = (key: string): void => {
  const removed = entries.find((one) => one.key === key);
  if (removed) remove(removed);
};

/** Removes the oldest beyond three (specification, section 8), preferably one that is neither hovered nor focused. */
const makeRoom = (): void => {
  while (entries.length >= limits.toasts) {
    const oldest = entries.find(({ toast: one }) => !isPinned(one.id)) ?? entries[0];
    if (oldest) dismiss(oldest.toast.id);
  }
};

const add = (content: ToastContent, rest: Pick<Entry, 'key' | 'ms' | 'onRemoved'>): void => {
  makeRoom();
  lastId += 1;
  const one: Entry = { toast: { id: lastId, ...content }, timer: undefined, ...rest };
  startTimer(one);
  update([...entries, one]);
};

/** Repeating the same message only restarts its timer. */
const show = (kind: ToastKind, text: string, { note = null, link = null }: ToastOptions = {}): void => {
  const same = entries.find(
    ({ toast: one, key }) => key === undefined && one.kind === kind && one.text === text,
  );
  if (same) dismiss(same.toast.id);
  const content = { kind, text, note, link, progress: null, actions: [] };
  add(content, { key: undefined, ms: shownMs[kind], onRemoved: undefined });
};

const upsert = ({ key, sticky, onRemoved, ...content }: KeyedToast): void => {
  const timed = content.actions.length > 0 ? withActionsMs : shownMs[content.kind];
  const ms = sticky ? null : timed;
  const previous = entries.find((one) => one.key === key);
  if (!previous) {
    add(content, { key, ms, onRemoved });
    return;
  }
  const next: Entry = { ...previous, toast: { id: previous.toast.id, ...content }, ms, onRemoved };
  // An unchanged duration does not restart the timer.
  if (previous.ms !== ms) startTimer(next);
  update(entries.map((one) => (one === previous ? next : one)));
};

/** Keeps all toasts in place while this one is hovered or focused. */
const hold = (id: number, by: Pin): void => {
  pins[by].add(id);
  for (const { timer } of entries) clearTimeout(timer);
};

const release = (id: number, by: Pin): void => {
  if (pins[by].delete(id) && !anyPinned()) entries.forEach(startTimer);
};

export const toast = {
  error: (text: string, note: string | null = null, link: ToastLink | null = null) =>
    show('error', text, { note, link }),
  success: (text: string, link: ToastLink | null = null) => show('success', text, { link }),
  info: (text: string, link: ToastLink | null = null) => show('info', text, { link }),
  warning: (text: string, link: ToastLink | null = null) => show('warning', text, { link }),
  upsert,
  drop,
  hold,
  release,
  dismiss,
  dismissAll: () => {
    for (const { id } of shown.get()) dismiss(id);
  },
} as const;

export const useToasts = shown.use;
