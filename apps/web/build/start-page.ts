import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { type Bundle, filesFor, languagesOf, pages, wordsOf } from './needed.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/**
 * Adds to the start page the styles and script that draw the console's frame in this browser's theme before any file arrives. The
 * server allows that inline script by its hash (`platform/http/console.ts`).
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

/** Moves style sheets out of the head: there, they would also block rendering of the frame that the page itself contains. */
const stylesLast = (html: string): string => {
  const sheets = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  return sheets
    .reduce((page, sheet) => page.replace(sheet, ''), html)
    .replace('</body>', `${sheets.join('')}</body>`);
};

/** The files that the page's script fetches ahead; none on the development server, which builds each file on request. */
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
