import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** The gateway's service prefixes, and what the server itself serves beside the console. */
const served = [
  '/cube',
  '/customer',
  '/identity',
  '/job-service',
  '/public-sphere',
  '/docs',
  '/openapi.json',
];

/** `SIMCUBE_DEV_SERVER`: the server that the development server hands calls on to. */
const target = process.env['SIMCUBE_DEV_SERVER'] ?? 'http://127.0.0.1:8080';

/** Script that must arrive before the sign-in page can be used, compressed (architecture, *Budgets*). */
const signInBudgetBytes = 200_000;

/** Fails the build when the sign-in page grows past its budget, and tells the figure at every build. */
const signInBudget = (): Plugin => ({
  name: 'simcube:sign-in-budget',
  apply: 'build',
  writeBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(
      (file): file is Rolldown.OutputChunk => file.type === 'chunk',
    );
    const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
    const needed = new Set<Rolldown.OutputChunk>();
    const take = (chunk: Rolldown.OutputChunk | undefined): void => {
      if (!chunk || needed.has(chunk)) return;
      needed.add(chunk);
      for (const name of chunk.imports) take(byName.get(name));
    };
    const holding = (module: string) => chunks.filter((chunk) => chunk.facadeModuleId?.endsWith(module));
    for (const chunk of chunks.filter(({ isEntry }) => isEntry)) take(chunk);
    for (const chunk of holding('/features/identity/index.ts')) take(chunk);
    const sizeOf = (chunk: Rolldown.OutputChunk): number => gzipSync(chunk.code).byteLength;
    const phrases = Math.max(
      0,
      ...holding('/public.ts')
        .filter(({ facadeModuleId }) => facadeModuleId?.includes('/phrases/src/'))
        .map(sizeOf),
    );
    const total = [...needed].reduce((sum, chunk) => sum + sizeOf(chunk), phrases);
    this.info(
      `script before sign-in: ${(total / 1000).toFixed(1)} kB compressed, of ${signInBudgetBytes / 1000} kB`,
    );
    if (total > signInBudgetBytes)
      this.error(`The sign-in page needs ${total} bytes of script; its budget is ${signInBudgetBytes}.`);
  },
});

/**
 * Few chunks, each for a moment: a page is fetched in one round, and what one place changes leaves the others cached.
 * A chunk takes along what its modules import and no chunk before it has.
 */
const chunks = [
  // What every page needs, apart from our own code, so that a new version of the console leaves it cached.
  {
    name: 'vendor',
    test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|store|react-store)|i18next|react-i18next|zod)\//,
  },
  // What every page says, asks and remembers.
  {
    name: 'start',
    test: /\/src\/(main\.tsx$|lib\/|features\/public\/(public-frame|product-mark)\.tsx$|ui\/(link|password-generator)\/)/,
  },
  { name: 'echarts', test: /\/src\/ui\/chart\/echarts\.ts$/ },
  // Ahead of the frame, which needs what stands beside these, and none of them.
  {
    name: 'forms',
    test: /\/@rc-component\/(async-validator\/|form\/es\/(?!(Form|Field)Context))/,
    includeDependenciesRecursively: false,
  },
  // The frame of the console, and what nearly every page is made of.
  {
    name: 'shell',
    test: /\/src\/(app\/shell\/index\.ts$|ui\/(answer|page|card|chart|status|time|bytes|empty|failure|identifier|link|media|pace|segmented|skeleton|sparkline|theme|usage-bar)\/)/,
  },
  // Lists, forms and what opens over them.
  { name: 'kit', test: /\/src\/ui\/(?!(world-map|password-generator)\/)/ },
].map((group, index, { length }) => ({ ...group, priority: length - index }));

export default defineConfig({
  plugins: [react(), signInBudget()],
  server: {
    proxy: Object.fromEntries(served.map((prefix) => [prefix, { target, changeOrigin: true }])),
  },
  build: {
    target: 'es2023',
    manifest: true,
    sourcemap: false,
    // Charts come in one piece of about 180 kB compressed, fetched when the first one is shown.
    chunkSizeWarningLimit: 700,
    // Fonts and pictures stay files: the content security policy has no room for data URLs in styles.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // What these export is all that they do, which their package.json do not say.
      treeshake: {
        moduleSideEffects: [{ test: /node_modules\/(@rc-component|@ant-design)\//, sideEffects: false }],
      },
      output: {
        codeSplitting: { groups: chunks },
      },
    },
  },
});
