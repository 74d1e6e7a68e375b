import { limits } from '@simcube/contract';
import { useSyncExternalStore } from 'react';

export type ToastKind = 'error' | 'warning' | 'success' | 'info';

export interface Toast extends ToastContent {
  id: number;
}

interface ToastContent {
  kind: ToastKind;
  text: string;
  /** Small print under the text, for example the trace id to quote. */
  note: string | null;
  /** Where to see more. */
  link: ToastLink | null;
  /** How far something is that goes on. */
  progress: ToastProgress | null;
  actions: readonly ToastAction[];
}

export interface ToastLink {
  href: string;
  label: string;
}

/** What can be done from here: a press, or a way. */
export type ToastAction =
  | { label: string; onPress: () => void; busy?: boolean }
  | { label: string; href: string };

export interface ToastProgress {
  done: number;
  of: number;
  /** The same in words. */
  words: string;
}

interface More {
  note?: string | null;
  link?: ToastLink | null;
}

/** One that follows something: shown again under its key, it takes the place of what it said before. */
export interface KeptToast extends ToastContent {
  key: string;
  /** It goes on: only a person, or a newer toast, removes it. */
  stays: boolean;
  /** It was dismissed, its time was over, or newer ones took its place. */
  onGone: () => void;
}

/** Errors stay longer: there is more to read; and what offers something: there is more to decide. */
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
/** Which are under the pointer or have the focus. While any is, none disappears by itself. */
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

/** Takes away what follows something no longer followed. */
const drop = (key: string): void => {
  const gone = held.find((one) => one.key === key);
  if (gone) remove(gone);
};

/** Beyond three, the oldest is removed (specification, section 8), but not from under the pointer or the focus. */
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

/** The same message again only restarts its timer. */
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
  // Said again, its time goes on.
  if (before.ms !== ms) startTimer(next);
  update(held.map((one) => (one === before ? next : one)));
};

/** Keeps all toasts where they are as long as the pointer or the focus is on this one. */
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
