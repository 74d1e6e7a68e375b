import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { type Bundle, filesFor, languagesOf, pages, wordsOf } from './needed.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/**
 * The page that every address begins with draws the console's frame by itself, in the theme of this browser: its styles
 * and its script stand in it. The server allows that script by its hash (`platform/http/console.ts`).
 */
export const startPage = (): Plugin => ({
  name: 'simcube:start-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => ({
      html: stylesLast(html),
      tags: [
        {
          tag: 'style',
          children: read('../src/ui/theme/tokens.css') + read('./start/start.css'),
          injectTo: 'head',
        },
        {
          tag: 'script',
          children: read('./start/start.js').replace('FILES', () => JSON.stringify(filesOf(bundle))),
          injectTo: 'head',
        },
      ],
    }),
  },
});

/** A style sheet in the head would hold back what stands before it in the page, too. */
const stylesLast = (html: string): string => {
  const sheets = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  return sheets
    .reduce((page, sheet) => page.replace(sheet, ''), html)
    .replace('</body>', `${sheets.join('')}</body>`);
};

/** What the script in the page fetches ahead; nothing where the development server makes each file when it is asked for. */
const filesOf = (bundle: Bundle | undefined) => {
  if (!bundle) return { public: [], console: [], pages: {}, words: {} };
  const entry = new Set(filesFor(bundle));
  const beside = (modules: readonly string[], known: readonly string[] = []): string[] =>
    filesFor(bundle, modules).filter((file) => !entry.has(file) && !known.includes(file));
  const shell = beside(pages.shell);
  const font = Object.keys(bundle).filter((name) => /inter-latin-wght-normal.*woff2$/.test(name));
  return {
    public: beside(pages.login),
    console: [...shell, ...font],
    pages: { analysis: beside(pages.analysis, shell), simCard: beside(pages.simCard, shell) },
    words: Object.fromEntries(
      languagesOf(bundle).map((language) => {
        const words = wordsOf(language);
        return [language, [...beside(words.public), ...beside(words.console)]];
      }),
    ),
  };
};
