import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { type Bundle, filesFor, pages, wordsOf } from './needed.ts';

/** Upper limits of what a page may fetch before it is complete, apart from its own data. */
const budgets = [
  {
    page: 'the sign-in page',
    modules: [...pages.login, ...wordsOf('zh-TW').public],
    // Architecture, *Budgets*: scripts only, compressed with gzip, for the browser that supports the least.
    counts: (name: string) => name.endsWith('.js'),
    compress: (content: Buffer) => gzipSync(content),
    bytes: 200_000,
    files: 6,
  },
  {
    page: 'the dashboard',
    modules: [...pages.shell, ...pages.analysis, ...wordsOf('en-US').public, ...wordsOf('en-US').console],
    counts: () => true,
    compress: (content: Buffer) => brotliCompressSync(content),
    bytes: 310_000,
    files: 12,
  },
  {
    page: 'the SIM list',
    modules: [...pages.shell, ...pages.simCard, ...wordsOf('en-US').public, ...wordsOf('en-US').console],
    counts: () => true,
    compress: (content: Buffer) => brotliCompressSync(content),
    bytes: 435_000,
    files: 17,
  },
];

/** Fails the build when a page exceeds its budget, and prints the figures at every build. */
export const pageBudgets = (): Plugin => ({
  name: 'simcube:budgets',
  apply: 'build',
  writeBundle(_, bundle) {
    for (const budget of budgets) {
      const files = [...new Set([...filesFor(bundle), ...filesFor(bundle, budget.modules)])].filter(
        budget.counts,
      );
      const bytes = files.reduce((sum, name) => sum + budget.compress(contentOf(bundle, name)).byteLength, 0);
      const figures = `${budget.page} needs ${files.length} files of ${bytes} bytes compressed`;
      const most = `at most ${budget.files} of ${budget.bytes}`;
      this.info(`${figures}, ${most}`);
      if (bytes > budget.bytes || files.length > budget.files) this.error(`${figures}; it may need ${most}.`);
    }
  },
});

const contentOf = (bundle: Bundle, name: string): Buffer => {
  const file = bundle[name] as Rolldown.OutputChunk | Rolldown.OutputAsset;
  return Buffer.from(file.type === 'chunk' ? file.code : file.source);
};
