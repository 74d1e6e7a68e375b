import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { root, runOrExit, say } from './run.mjs';
import { checkNode, filesBelow, install, whenChanged } from './setup.mjs';

/** Installs what is missing, and bundles what changed. */
export const build = async () => {
  checkNode();
  await install();
  await buildProducts();
};

/** Bundles the programs and the console, each only when its sources changed. */
export const buildProducts = async () => {
  for (const product of products) await whenChanged(product);
};

/** Writes the forms that the server sends to browsers that take them, once instead of at every request. */
const compressBelow = (directory) => {
  for (const name of filesBelow(directory)) {
    if (!/\.(js|css|html|svg)$/.test(name)) continue;
    const path = join(directory, name);
    const content = readFileSync(path);
    if (content.length < 1024) continue;
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
    writeFileSync(`${path}.br`, brotliCompressSync(content, quality));
    writeFileSync(`${path}.gz`, gzipSync(content));
  }
};

const buildConsole = async (directory) => {
  say('Building the console …');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  await runOrExit(process.execPath, [vite, 'build', '--logLevel', 'warn', '--outDir', directory], {
    cwd: join(root, 'apps/web'),
    // A build for tests is the build that will run, without React's development checks.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  compressBelow(directory);
};

const bundle =
  (workspace, entryPoints, output = 'dist') =>
  async (directory) => {
    say(`Building ${workspace} …`);
    const { build: bundleWith, stop } = await import('esbuild');
    const outdir = join(root, workspace, output);
    try {
      // Written here, not by esbuild: source maps point from where the files will be.
      const { outputFiles } = await bundleWith({
        absWorkingDir: join(root, workspace),
        entryPoints,
        outdir,
        write: false,
        bundle: true,
        platform: 'node',
        format: 'esm',
        target: 'node20',
        sourcemap: true,
        // Every process keeps its maps in memory: with the text of all sources in them, 25 MB more.
        sourcesContent: false,
        logLevel: 'warning',
        plugins: [externalPackages],
      });
      for (const { path, contents } of outputFiles) {
        const target = join(directory, relative(outdir, path));
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, contents);
      }
    } finally {
      // Its service would live on beside the product.
      await stop();
    }
  };

/** Made of some hundred small modules, which a program would look for, read and compile one by one at each start. */
const bundledPackages = ['csv-parse', 'fastify-type-provider-zod', 'kysely', 'nodemailer', 'zod'];

/**
 * Our own packages are TypeScript and go into the bundle; those from the registry stay outside it, but for a few, and are
 * imported by the programs alone that use something of them.
 */
const externalPackages = {
  name: 'external-packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@simcube/') || path.startsWith('/') || bundledPackages.includes(packageOf(path))
        ? undefined
        : { path, external: true, sideEffects: false },
    );
  },
};

const packageOf = (path) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

const server = {
  name: 'server',
  sources: ['apps/server/src', 'apps/network-sim/src', 'packages'],
  output: 'apps/server/dist',
  make: bundle('apps/server', {
    server: 'src/main/server.ts',
    cli: 'src/main/cli.ts',
    'openapi-worker': 'src/platform/http/openapi.worker.ts',
    'table-worker': 'src/platform/files/table.worker.ts',
    'bill-pdf-worker': 'src/modules/finance/pdf/bill-pdf.worker.ts',
  }),
};

const networkSim = {
  name: 'network-sim',
  sources: ['apps/network-sim/src', 'packages'],
  output: 'apps/network-sim/dist',
  // As deep as its source, which finds the scenarios beside it.
  make: bundle('apps/network-sim', { 'main/network-sim': 'src/main/network-sim.ts' }),
};

const products = [
  server,
  networkSim,
  {
    name: 'console',
    sources: ['apps/web', 'docs/guide', 'packages/contract', 'packages/phrases'],
    output: 'apps/web/dist',
    make: buildConsole,
  },
];

const testing = 'src/testing';

/** What tests start in processes of their own: bundled, each starts in a quarter of the time. */
const testPrograms = {
  name: 'test-programs',
  sources: server.sources,
  output: `apps/server/${testing}/dist`,
  make: (directory) => bundle('apps/server', testProgramSources(), `${testing}/dist`)(directory),
};

const testProgramSources = () =>
  Object.fromEntries(
    readdirSync(join(root, 'apps/server', testing, 'programs')).map((file) => [
      basename(file, '.ts'),
      `${testing}/programs/${file}`,
    ]),
  );

/** For tests that start programs, without the console. */
export const buildForTests = async () => {
  for (const product of [server, networkSim, testPrograms]) await whenChanged(product);
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build();
