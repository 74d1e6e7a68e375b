import { useSyncExternalStore } from 'react';

/** What a link of a mail brought in its fragment, which reaches no server and no log of URLs. */
export type MailLink =
  | { kind: 'invitation'; token: string }
  | { kind: 'reset'; token: string; email: string };

/** In memory only: a token must not outlive the page, in storage or in the browser's history. */
let link: MailLink | null = null;
const listeners = new Set<() => void>();

const setLink = (next: MailLink | null): void => {
  link = next;
  for (const listener of listeners) listener();
};

/** Bounds of the contract; what is longer or shorter is no token of ours. */
const tokenSyntax = /^[\w-]{20,100}$/;
const longestEmail = 254;

export const readMailLink = (hash: string): MailLink | null => {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const invitation = values.get('invitation') ?? '';
  if (tokenSyntax.test(invitation)) return { kind: 'invitation', token: invitation };
  const reset = values.get('reset') ?? '';
  const email = (values.get('email') ?? '').trim();
  if (!tokenSyntax.test(reset) || email === '' || email.length > longestEmail) return null;
  return { kind: 'reset', token: reset, email };
};

/** Takes what a mail's link brought, then removes any hash segment from the address (specification, section 2). */
const takeHash = (): void => {
  const { hash, href, pathname, search } = window.location;
  if (hash === '' && !href.endsWith('#')) return;
  const found = readMailLink(hash);
  window.history.replaceState(window.history.state, '', pathname + search);
  if (found) setLink(found);
};

/** Once, before anything reads the address. A link that is opened in a tab with the console in it changes the hash alone. */
export const startMailLinks = (): void => {
  takeHash();
  window.addEventListener('hashchange', takeHash);
};

export const currentMailLink = (): MailLink | null => link;

/** Done with, or declined. */
export const dropMailLink = (): void => setLink(null);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useMailLink = (): MailLink | null => useSyncExternalStore(subscribe, currentMailLink);
