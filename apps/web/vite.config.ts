import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The gateway's service prefixes, and what the server itself serves beside the console. */
const served = ['/cube', '/customer', '/identity', '/docs', '/openapi.json'];

/** `SIMCUBE_DEV_SERVER`: the server that the development server hands calls on to. */
const target = process.env['SIMCUBE_DEV_SERVER'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  server: {
    proxy: Object.fromEntries(served.map((prefix) => [prefix, { target, changeOrigin: true }])),
  },
  build: {
    target: 'es2023',
    manifest: true,
    sourcemap: false,
    // Fonts and pictures stay files: the content security policy has no room for data URLs in styles.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every page needs, apart from our own code, so that a new version of the console leaves it cached.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
            {
              name: 'router',
              test: /node_modules\/@tanstack\/(react-router|router-core|history|store|react-store)\//,
              priority: 3,
            },
            { name: 'language', test: /node_modules\/(i18next|react-i18next)\//, priority: 3 },
            { name: 'contract', test: /(node_modules\/zod\/|packages\/contract\/)/, priority: 3 },
            { name: 'echarts', test: /node_modules\/(echarts|zrender)\//, priority: 2 },
          ],
        },
      },
    },
  },
});
