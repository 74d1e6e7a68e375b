import { limits } from '@simcube/contract';
import { useSyncExternalStore } from 'react';

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
  of: number;
  /** The progress as text. */
  words: string;
}

interface More {
  note?: string | null;
  link?: ToastLink | null;
}

/** A toast that follows something: shown again under its key, it replaces its previous content. */
export interface KeptToast extends ToastContent {
  key: string;
  /** Still running: only a person, or a newer toast, removes it. */
  stays: boolean;
  /** It was dismissed, expired, or was displaced by newer ones. */
  onGone: () => void;
}

/** Errors, and toasts with actions, stay longer: there is more to read or to decide. */
const shownMs = { error: 8_000, warning: 8_000, success: 4_000, info: 5_000 } as const;
const withActionsMs = 15_000;

interface Held {
  toast: Toast;
  key: string | undefined;
  /** Null: until it is dismissed. */
  ms: number | null;
  onGone: (() => void) | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

let held: readonly Held[] = [];
let shown: readonly Toast[] = [];
let lastId = 0;
/** Toasts that are hovered or focused. While there are any, none disappears automatically. */
const pins = { pointer: new Set<number>(), focus: new Set<number>() };
type Pin = keyof typeof pins;
const isPinned = (id: number): boolean => pins.pointer.has(id) || pins.focus.has(id);
const anyPinned = (): boolean => pins.pointer.size + pins.focus.size > 0;
const listeners = new Set<() => void>();

const update = (next: readonly Held[]): void => {
  held = next;
  shown = held.map(({ toast: one }) => one);
  for (const listener of listeners) listener();
};

const startTimer = (one: Held): void => {
  clearTimeout(one.timer);
  if (one.ms !== null && !anyPinned()) one.timer = setTimeout(() => dismiss(one.toast.id), one.ms);
};

const remove = (gone: Held): void => {
  clearTimeout(gone.timer);
  update(held.filter((one) => one !== gone));
  release(gone.toast.id, 'pointer');
  release(gone.toast.id, 'focus');
};

const dismiss = (id: number): void => {
  const gone = held.find(({ toast: one }) => one.id === id);
  if (!gone) return;
  remove(gone);
  gone.onGone?.();
};

/** Removes the toast of something that is no longer followed. */
const drop = (key: string): void => {
  const gone = held.find((one) => one.key === key);
  if (gone) remove(gone);
};

/** Removes the oldest beyond three (specification, section 8), preferably one that is neither hovered nor focused. */
const makeRoom = (): void => {
  while (held.length >= limits.toasts) {
    const oldest = held.find(({ toast: one }) => !isPinned(one.id)) ?? held[0];
    if (oldest) dismiss(oldest.toast.id);
  }
};

const add = (content: ToastContent, rest: Pick<Held, 'key' | 'ms' | 'onGone'>): void => {
  makeRoom();
  lastId += 1;
  const one: Held = { toast: { id: lastId, ...content }, timer: undefined, ...rest };
  startTimer(one);
  update([...held, one]);
};

/** Repeating the same message only restarts its timer. */
const show = (kind: ToastKind, text: string, { note = null, link = null }: More = {}): void => {
  const same = held.find(
    ({ toast: one, key }) => key === undefined && one.kind === kind && one.text === text,
  );
  if (same) dismiss(same.toast.id);
  const content = { kind, text, note, link, progress: null, actions: [] };
  add(content, { key: undefined, ms: shownMs[kind], onGone: undefined });
};

const keep = ({ key, stays, onGone, ...content }: KeptToast): void => {
  const timed = content.actions.length > 0 ? withActionsMs : shownMs[content.kind];
  const ms = stays ? null : timed;
  const before = held.find((one) => one.key === key);
  if (!before) {
    add(content, { key, ms, onGone });
    return;
  }
  const next: Held = { ...before, toast: { id: before.toast.id, ...content }, ms, onGone };
  // An unchanged duration does not restart the timer.
  if (before.ms !== ms) startTimer(next);
  update(held.map((one) => (one === before ? next : one)));
};

/** Keeps all toasts in place while this one is hovered or focused. */
const hold = (id: number, by: Pin): void => {
  pins[by].add(id);
  for (const { timer } of held) clearTimeout(timer);
};

const release = (id: number, by: Pin): void => {
  if (pins[by].delete(id) && !anyPinned()) held.forEach(startTimer);
};

export const toast = {
  error: (text: string, note: string | null = null, link: ToastLink | null = null) =>
    show('error', text, { note, link }),
  success: (text: string, link: ToastLink | null = null) => show('success', text, { link }),
  info: (text: string, link: ToastLink | null = null) => show('info', text, { link }),
  warning: (text: string, link: ToastLink | null = null) => show('warning', text, { link }),
  keep,
  drop,
  hold,
  release,
  dismiss,
  dismissAll: () => {
    for (const { id } of shown) dismiss(id);
  },
} as const;

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useToasts = (): readonly Toast[] => useSyncExternalStore(subscribe, () => shown);
