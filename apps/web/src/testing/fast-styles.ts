import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Properties that decide whether an element is visible and clickable. */
const relevant = /^(display|visibility|opacity|pointer-events|content|position|overflow(-[xy])?):/;

const rules = /([^{}]+)\{([^{}]*)\}/g;

const isRelevant = (declarations: string): boolean =>
  declarations.split(';').some((declaration) => relevant.test(declaration.trim()));

/**
 * Finding by role asks for the style of each element that it passes, for which jsdom matches the element against every rule of
 * every sheet. As jsdom has no layout or paint, only the declarations that matter without them are kept, both of antd's sheets
 * and of the browser's own; an element's computed style is cached until something changes.
 */
export const speedUpStyles = (): void => {
  keepRelevantStyles();
  const parts = partsOf(document);
  compareLess(parts);
  // jsdom does not support pseudo-elements, and would print that for each call.
  const computed = window.getComputedStyle.bind(window);
  const known = new WeakMap<object, WeakMap<Element, CSSStyleDeclaration>>();
  window.getComputedStyle = (element) => {
    const until = parts._styleCache;
    const styles = known.get(until) ?? new WeakMap<Element, CSSStyleDeclaration>();
    known.set(until, styles);
    const style = styles.get(element) ?? computed(element);
    styles.set(element, style);
    return style;
  };
};

/** Filters what antd writes into a style sheet, but returns the original when antd reads it. */
const keepRelevantStyles = (): void => {
  const written = new WeakMap<HTMLStyleElement, string>();
  Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
    configurable: true,
    get(this: HTMLStyleElement) {
      return written.get(this) ?? '';
    },
    set(this: HTMLStyleElement, css: string) {
      written.set(this, css);
      this.textContent = relevantDeclarations(css);
    },
  });
};

const relevantDeclarations = (css: string): string =>
  css.replaceAll(rules, (_, selector: string, body: string) => {
    const kept = body.split(';').filter((declaration) => relevant.test(declaration));
    return kept.length > 0 ? `${selector}{${kept.join(';')}}` : '';
  });

/** jsdom's internal object of an element. */
interface InnerElement {
  _localName: string;
  hasAttribute: (name: string) => boolean;
}
type Check = (selector: string, element: InnerElement) => { match: boolean };

/** jsdom's internal parts of a document. */
interface Parts {
  _getDOMSelector: () => { check: Check };
  /** Replaced whenever anything changes that styles depend on. */
  _styleCache: object;
}

const partsOf = (of: Document): Parts => {
  const [parts] = Object.getOwnPropertySymbols(of).flatMap((symbol) =>
    symbol.description === 'impl' ? [(of as unknown as Record<symbol, Parts>)[symbol]] : [],
  );
  if (!parts?._styleCache) throw new Error('This version of jsdom keeps styles in another way');
  return parts;
};

/**
 * Matches the browser's own sheet with less work: rules without a relevant declaration never match, results of plain element
 * selectors are cached by name, and attribute selectors are only tried on elements that have the attribute.
 */
const compareLess = (parts: Parts): void => {
  const own = [...browserSheet().matchAll(rules)].map(
    ([, selector = '', body = '']) => [plain(selector), isRelevant(body)] as const,
  );
  const counting = new Set(own.flatMap(([selector, counts]) => (counts ? [selector] : [])));
  const ignored = new Set(own.flatMap(([selector]) => (counting.has(selector) ? [] : [selector])));
  const selectors = parts._getDOMSelector();
  const check = selectors.check.bind(selectors);
  const none = { match: false };
  const by = new Map<string, Check>();
  const checkOf = (selector: string): Check => {
    if (ignored.has(plain(selector))) return () => none;
    const attribute = /^\[([a-z]+)[^ ,>+~]*$/.exec(selector)?.[1];
    if (attribute) return (_, element) => (element.hasAttribute(attribute) ? check(selector, element) : none);
    if (!/^[a-z\d,\s]+$/.test(selector) || /[a-z\d]\s+[a-z]/.test(selector)) return check;
    const results = new Map<string, { match: boolean }>();
    return (_, element) => {
      const result = results.get(element._localName) ?? check(selector, element);
      results.set(element._localName, result);
      return result;
    };
  };
  selectors.check = (selector, element) => {
    const quick = by.get(selector) ?? checkOf(selector);
    by.set(selector, quick);
    return quick(selector, element);
  };
};

const plain = (selector: string): string => selector.replaceAll(/\s+/g, ' ').trim();

const browserSheet = (): string => {
  const jsdom = createRequire(import.meta.url).resolve('jsdom');
  return readFileSync(jsdom.replace(/api\.js$/, 'jsdom/browser/default-stylesheet.css'), 'utf8').replaceAll(
    /\/\*[\s\S]*?\*\//g,
    '',
  );
};
