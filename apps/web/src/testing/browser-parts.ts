/** What jsdom leaves out and our code asks for; each does the least that a browser would. Once for a window. */
export const addMissingBrowserParts = (): void => {
  if ('ResizeObserver' in globalThis) return;
  keepDecisiveStyles();
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
  // Of pseudo-elements it knows nothing, and would print that at each question.
  const styleOf = window.getComputedStyle.bind(window);
  window.getComputedStyle = (element) => styleOf(element);
  window.scrollTo = () => undefined;
  Element.prototype.scrollIntoView = () => undefined;
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

/** @returns what leaves the window as it was found: without what was heard, shown and addressed since */
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

/** What decides whether a person sees something, and may click it. */
const decisive = /^(display|visibility|opacity|pointer-events|content|position|overflow(-[xy])?):/;

/**
 * jsdom applies every declaration of every style sheet to each element that a test looks at. There is no layout and no
 * paint, so of the sheets that antd writes only the declarations that count without them are kept.
 */
const keepDecisiveStyles = (): void => {
  const written = new WeakMap<HTMLStyleElement, string>();
  Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
    configurable: true,
    get(this: HTMLStyleElement) {
      return written.get(this) ?? '';
    },
    set(this: HTMLStyleElement, css: string) {
      written.set(this, css);
      this.textContent = decisiveOf(css);
    },
  });
};

const decisiveOf = (css: string): string =>
  css.replaceAll(/([^{}]+)\{([^{}]*)\}/g, (_, selector: string, body: string) => {
    const kept = body.split(';').filter((declaration) => decisive.test(declaration));
    return kept.length > 0 ? `${selector}{${kept.join(';')}}` : '';
  });
