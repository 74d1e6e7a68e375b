import { limits } from '@simcube/contract';
import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  kind: 'error' | 'success' | 'info';
  text: string;
  /** Small print under the text, for example the trace id to quote. */
  note: string | null;
  /** Where to see more. */
  link: ToastLink | null;
}

export interface ToastLink {
  href: string;
  label: string;
}

interface More {
  note?: string | null;
  link?: ToastLink | null;
}

/** Errors stay longer: there is more to read. */
const shownMs = { error: 8_000, success: 4_000, info: 5_000 } as const;

let shown: readonly Toast[] = [];
let lastId = 0;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

const update = (next: readonly Toast[]): void => {
  shown = next;
  for (const listener of listeners) listener();
};

const dismiss = (id: number): void => {
  clearTimeout(timers.get(id));
  timers.delete(id);
  update(shown.filter((toast) => toast.id !== id));
};

/** The same message again only restarts its timer; beyond three, the oldest is removed (specification, section 8). */
const show = (kind: Toast['kind'], text: string, { note = null, link = null }: More = {}): void => {
  const same = shown.find((toast) => toast.kind === kind && toast.text === text);
  if (same) dismiss(same.id);
  while (shown.length >= limits.toasts && shown[0]) dismiss(shown[0].id);
  lastId += 1;
  const id = lastId;
  timers.set(
    id,
    setTimeout(() => dismiss(id), shownMs[kind]),
  );
  update([...shown, { id, kind, text, note, link }]);
};

export const toast = {
  error: (text: string, note: string | null = null, link: ToastLink | null = null) =>
    show('error', text, { note, link }),
  success: (text: string, link: ToastLink | null = null) => show('success', text, { link }),
  info: (text: string, link: ToastLink | null = null) => show('info', text, { link }),
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
