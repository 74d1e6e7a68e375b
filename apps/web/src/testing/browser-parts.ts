import { speedUpStyles } from './fast-styles.ts';

/** Adds what jsdom lacks and our code uses, with the minimum that a browser would do. Once per window. */
export const addMissingBrowserParts = (): void => {
  if ('ResizeObserver' in globalThis) return;
  speedUpStyles();
  window.matchMedia = (query) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  });
  window.scrollTo = () => undefined;
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = function scrollTo(this: Element): void {
    this.scrollTop = 0;
  };
  Element.prototype.checkVisibility = () => true;
  globalThis.ResizeObserver = class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
  HTMLDialogElement.prototype.showModal = function showModal(): void {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close(): void {
    if (!this.open) return;
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
};

/** @returns a function that restores the window: removes listeners, content and address added since */
export const openWindow = (): (() => void) => {
  const listen = window.addEventListener;
  const closed = new AbortController();
  window.addEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject,
    options: boolean | AddEventListenerOptions = {},
  ) => {
    const given = typeof options === 'boolean' ? { capture: options } : options;
    const signal = given.signal ? AbortSignal.any([given.signal, closed.signal]) : closed.signal;
    listen.call(window, type, listener, { ...given, signal });
  };
  return () => {
    closed.abort();
    window.addEventListener = listen;
    document.body.replaceChildren();
    window.history.replaceState(null, '', '/');
  };
};
