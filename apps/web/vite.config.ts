import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { pageBudgets } from './build/budgets.ts';
import { chunks } from './build/chunks.ts';
import { guidePages } from './build/guide-pages.ts';
import { startPage } from './build/start-page.ts';

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

export default defineConfig({
  plugins: [react(), guidePages(), startPage(), pageBudgets()],
  server: {
    proxy: Object.fromEntries(served.map((prefix) => [prefix, { target, changeOrigin: true }])),
  },
  build: {
    target: 'es2023',
    manifest: true,
    sourcemap: false,
    // The largest is the world's outlines at 1:50m (205 kB compressed), fetched when a map is looked at closely.
    chunkSizeWarningLimit: 800,
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
