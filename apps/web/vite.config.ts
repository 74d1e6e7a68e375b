import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { servicePrefixes } from '../../packages/contract/src/headers.ts';
import { pageBudgets } from './build/budgets.ts';
import { chunks } from './build/chunks.ts';
import { guidePages } from './build/guide-pages.ts';
import { startPage } from './build/start-page.ts';

/** What the server answers itself, not with the console. */
const served = [...servicePrefixes, '/docs', '/openapi.json'];

/** `SIMCUBE_DEV_SERVER`: the server that the development server forwards calls to. */
const target = process.env['SIMCUBE_DEV_SERVER'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react(), guidePages(), startPage(), pageBudgets()],
  server: {
    proxy: Object.fromEntries(served.map((prefix) => [prefix, { target, changeOrigin: true }])),
  },
  build: {
    target: 'es2023',
    manifest: true,
    sourcemap: false,
    // The largest is the world's outlines at 1:50m (205 kB compressed), fetched when a map is zoomed in.
    chunkSizeWarningLimit: 800,
    // Fonts and pictures stay files: the content security policy does not allow data URLs in styles.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // These packages have no side effects on import, but their package.json files do not declare it.
      treeshake: {
        moduleSideEffects: [{ test: /node_modules\/(@rc-component|@ant-design)\//, sideEffects: false }],
      },
      output: {
        codeSplitting: { groups: chunks },
      },
    },
  },
});
