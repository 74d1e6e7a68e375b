import { createStore } from '../store/index.ts';

/** The content of an email link's fragment, which is never sent to a server or written to a URL log. */
export type MailLink =
  | { kind: 'invitation'; token: string }
  | { kind: 'reset'; token: string; email: string };

/** In memory only: a token must not outlive the page, neither in storage nor in the browser's history. */
const link = createStore<MailLink | null>(null);

/** The contract's limits; longer or shorter texts are not tokens of ours. */
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

/** Reads the fragment of an email link, then removes any fragment from the address (specification, section 2). */
const consumeHash = (): void => {
  const { hash, href, pathname, search } = window.location;
  if (hash === '' && !href.endsWith('#')) return;
  const found = readMailLink(hash);
  window.history.replaceState(window.history.state, '', pathname + search);
  if (found) link.set(found);
};

/**
 * Called once, before anything reads the address. Opening a link in a tab that already shows the console changes only the
 * fragment.
 */
export const startMailLinks = (): void => {
  consumeHash();
  window.addEventListener('hashchange', consumeHash);
};

export const currentMailLink = link.get;

/** After the link was used or declined. */
export const discardMailLink = (): void => link.set(null);

export const useMailLink = link.use;
