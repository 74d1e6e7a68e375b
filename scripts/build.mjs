import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { checkNode, install, root, runOrExit, whenChanged } from './setup.mjs';

/** Bundles the programs and the console, each only when its sources changed. */
export const build = async () => {
  checkNode();
  install();
  await buildPrograms();
  whenChanged('console', ['apps/web', 'packages/contract', 'packages/phrases'], () => {
    console.log('Building the console …');
    runOrExit(
      process.execPath,
      [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
      {
        cwd: join(root, 'apps/web'),
      },
    );
    compressBelow(join(root, 'apps/web/dist'));
  });
};

/** Writes the forms that the server sends to browsers that take them, once instead of at every request. */
const compressBelow = (directory) => {
  for (const name of readdirSync(directory, { recursive: true })) {
    if (!/\.(js|css|html|svg)$/.test(name)) continue;
    const path = join(directory, name);
    const content = readFileSync(path);
    if (content.length < 1024) continue;
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
    writeFileSync(`${path}.br`, brotliCompressSync(content, quality));
    writeFileSync(`${path}.gz`, gzipSync(content));
  }
};

const programs = {
  'apps/server': {
    server: 'src/main/server.ts',
    cli: 'src/main/cli.ts',
    'table-worker': 'src/platform/files/table.worker.ts',
  },
  // As deep as its source, which finds the scenarios beside it.
  'apps/network-sim': { 'main/network-sim': 'src/main/network-sim.ts' },
};

const buildPrograms = async () => {
  let changed = false;
  whenChanged('programs', ['apps/server/src', 'apps/network-sim/src', 'packages'], () => {
    changed = true;
  });
  if (!changed) return;
  console.log('Building the server …');
  const { build: bundle, stop } = await import('esbuild');
  for (const [directory, entryPoints] of Object.entries(programs)) {
    await bundle({
      absWorkingDir: join(root, directory),
      entryPoints,
      outdir: 'dist',
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: true,
      logLevel: 'warning',
      plugins: [ownSourcesOnly],
    });
  }
  // Its service would live on beside the product.
  await stop();
};

/** Our own packages are TypeScript and go into the bundle; everything from the registry stays outside it. */
const ownSourcesOnly = {
  name: 'own-sources-only',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@simcube/') || path.startsWith('/') ? undefined : { path, external: true },
    );
  },
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build();
