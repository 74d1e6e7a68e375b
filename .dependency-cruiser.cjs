// Who may import whom (docs/architecture.md, "Modules and tiers"). Every rule is an error.

// TypeScript 7 has no API with which the cruiser could parse, so it uses swc, without the option for JSX. The option is set
// here; without it every .tsx file would be an error.
const swc = require('@swc/core');

const { parseFileSync } = swc;
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') });

/**
 * A module imports modules of lower tiers and those before it (`>`) in its own chain, through their index.ts; what goes
 * upward is an event. `module-folders.test.ts` compares this with the table in docs/architecture.md.
 */
const tiers = [
  'audit > org > identity',
  'task place > sim > bundle > price',
  'usage > pool > aaa; sms',
  'notify > schedule autoflow; finance; developer',
  'report > webhook; dashboard; diagnose; heatmap; cdr',
];
const namesIn = (text) => text.match(/\w+/g) ?? [];

const modules = '^apps/server/src/modules';
/** Files of the platform that rules may import: arithmetic and text alone. */
const pureInPlatform = '^apps/server/src/platform/(clock/business-day|csv/(cells|rounded)[.]rules)[.]ts$';
const test = '[.]test[.]tsx?$';
const testing = '/testing/';

const tierRules = tiers.flatMap((tier, index) =>
  tier.split('; ').flatMap((chain) => {
    const steps = chain.split(' > ');
    return steps.flatMap((step, place) =>
      namesIn(step).map((name) => {
        const before = [...tiers.slice(0, index), ...steps.slice(0, place)].flatMap(namesIn);
        return {
          name: `${name}-imports-lower-tiers-only`,
          comment: 'A module may use modules of lower tiers only; what goes upward is an event (outbox).',
          severity: 'error',
          from: { path: `${modules}/${name}/`, pathNot: test },
          to: { path: `${modules}/`, pathNot: `${modules}/(${[...before, name].join('|')})/` },
        };
      }),
    );
  }),
);

/** `<thing>.<role>.ts` inside a module. */
const role = (...names) => `${modules}/.+[.](${names.join('|')})[.]ts$`;

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'A cycle has no order in which it can be understood; a type that two files share gets a file of its own.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'everything-resolves',
      comment:
        'An import that is not found would make the other rules blind. Of GeoJSON and TopoJSON only the types exist, in packages of other names (@types).',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(geojson|topojson-specification)$' },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'The workspace that imports a package must list it in its package.json.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-dev-packages-in-products',
      comment: 'What runs in production is a dependency, not a development dependency.',
      severity: 'error',
      from: {
        path: '^(apps|packages)/[^/]+/src/',
        pathNot: [test, testing, '^apps/web/'],
      },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'contract-imports-zod-alone',
      severity: 'error',
      from: { path: '^packages/contract/', pathNot: test },
      to: { pathNot: ['^packages/contract/', '^node_modules/zod/'] },
    },
    {
      name: 'phrases-import-contract-alone',
      severity: 'error',
      from: { path: '^packages/phrases/', pathNot: test },
      to: { pathNot: ['^packages/phrases/', '^packages/contract/'] },
    },
    {
      name: 'client-imports-contract-alone',
      comment:
        'Programs outside of the product use it, so it needs only the records of the calls, and Node.js.',
      severity: 'error',
      from: { path: '^packages/client/', pathNot: test },
      to: { pathNot: '^packages/(client|contract)/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'radius-imports-nothing',
      comment: 'The codec needs only Node.js, so that the server and the simulator can share it.',
      severity: 'error',
      from: { path: '^packages/radius/', pathNot: test },
      to: { pathNot: '^packages/radius/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'smpp-imports-nothing',
      comment: 'Codec and session need only Node.js.',
      severity: 'error',
      from: { path: '^packages/smpp/', pathNot: [test, testing] },
      to: { pathNot: '^packages/smpp/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'smpp-text-imports-nothing',
      comment: 'The console counts the parts of a message as the server sends them.',
      severity: 'error',
      from: { path: '^packages/smpp/src/text/', pathNot: test },
      to: { pathNot: '^packages/smpp/src/text/' },
    },
    {
      name: 'web-never-imports-server',
      severity: 'error',
      from: { path: '^(apps/web|packages)/' },
      to: { path: '^(apps/(server|network-sim)|bench|e2e)/' },
    },
    {
      name: 'network-sim-never-imports-server',
      comment: 'The demonstration network reaches the server only over the network, like a real one.',
      severity: 'error',
      from: { path: '^apps/network-sim/', pathNot: [test, testing] },
      to: { path: '^apps/(server|web)/' },
    },
    {
      name: 'server-never-imports-the-other-apps',
      comment: 'Only the demonstration asks the simulator which devices and what history it will play.',
      severity: 'error',
      from: { path: '^apps/server/', pathNot: [testing, test, '^apps/server/src/main/demo/'] },
      to: { path: '^apps/(web|network-sim)/' },
    },
    {
      name: 'demonstration-through-the-simulators-index',
      severity: 'error',
      from: { path: '^apps/server/src/main/demo/' },
      to: { path: '^apps/(web|network-sim)/', pathNot: '^apps/network-sim/src/index[.]ts$' },
    },
    {
      name: 'platform-never-imports-modules',
      severity: 'error',
      from: { path: '^apps/server/src/platform/', pathNot: test },
      to: { path: '^apps/server/src/(modules|main)/' },
    },
    {
      name: 'main-is-the-top',
      comment: 'Only the programs themselves, and tests, know how everything is put together.',
      severity: 'error',
      from: { path: '^apps/server/src/modules/', pathNot: test },
      to: { path: '^apps/server/src/main/' },
    },
    {
      name: 'tests-stay-in-tests',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: [test, testing] },
      to: { path: [testing, test] },
    },
    {
      name: 'modules-through-their-index',
      comment: 'The public API of a module is its index.ts.',
      severity: 'error',
      from: { path: '^apps/server/src/(?!modules/)', pathNot: testing },
      to: { path: `${modules}/[^/]+/(?!index[.]ts$)` },
    },
    {
      name: 'modules-through-each-others-index',
      severity: 'error',
      from: { path: `${modules}/([^/]+)/`, pathNot: test },
      to: { path: `${modules}/[^/]+/(?!index[.]ts$)`, pathNot: `${modules}/$1/` },
    },
    ...tierRules,
    {
      name: 'modules-have-a-tier',
      severity: 'error',
      from: { path: `${modules}/`, pathNot: `${modules}/(${tiers.flatMap(namesIn).join('|')})/` },
      to: {},
    },
    {
      name: 'platform-through-its-indexes',
      severity: 'error',
      from: { path: '^apps/server/src/(?!platform/)' },
      to: {
        path: '^apps/server/src/platform/[^/]+/(?!index[.]ts$)',
        // Pure rules may use these without the clock or the database behind the index.
        pathNot: pureInPlatform,
      },
    },
    {
      name: 'rules-are-pure',
      comment: 'No database, clock, environment or I/O: rules are proven by properties.',
      severity: 'error',
      from: { path: role('rules') },
      to: {
        pathNot: [
          role('rules', 'cycles', 'events'),
          '^packages/(contract|radius|smpp|phrases)/',
          '^node_modules/zod/',
          // Data alone.
          '^node_modules/countries-list/',
          // Arithmetic alone.
          '^node_modules/h3-js/',
          '^apps/server/src/platform/(packed|collections)/',
          pureInPlatform,
          `${modules}/[^/]+/index[.]ts$`,
        ],
      },
    },
    {
      name: 'routes-ask-services-and-views',
      comment: 'A route is a line: it neither writes nor decides.',
      severity: 'error',
      from: { path: role('routes') },
      to: { path: role('queries', 'jobs', 'consumers', 'cli') },
    },
    {
      name: 'views-only-read',
      severity: 'error',
      from: { path: role('views') },
      to: { path: role('service', 'routes', 'queries', 'jobs', 'consumers', 'cli') },
    },
    {
      name: 'queries-only-write-and-read',
      severity: 'error',
      from: { path: role('queries') },
      to: { path: role('service', 'routes', 'views', 'jobs', 'consumers', 'cli') },
    },
    {
      name: 'services-do-not-know-their-callers',
      severity: 'error',
      from: { path: role('service') },
      to: { path: role('routes', 'consumers', 'cli') },
    },
    {
      name: 'features-through-their-index',
      severity: 'error',
      from: { path: '^apps/web/src/(?!features/)' },
      to: {
        path: '^apps/web/src/features/[^/]+/',
        // Search parameters are read by the router before the feature is loaded; its screens when they are shown, where
        // the frame needs something else of the feature at once; the palette names its commands before.
        pathNot: '^apps/web/src/features/[^/]+/(index|search|screens|commands)[.]tsx?$',
      },
    },
    {
      name: 'features-through-each-others-index',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/' },
      to: {
        // A feature that shows the lists of others reads their parts of the address.
        path: '^apps/web/src/features/[^/]+/(?!(index|search)[.]tsx?$)',
        pathNot: '^apps/web/src/features/$1/',
      },
    },
    {
      name: 'features-do-not-know-the-app',
      severity: 'error',
      from: { path: '^apps/web/src/features/', pathNot: test },
      to: { path: '^apps/web/src/app/' },
    },
    {
      name: 'kit-knows-no-features',
      comment: 'app → features → ui and lib.',
      severity: 'error',
      from: { path: '^apps/web/src/(ui|lib)/', pathNot: test },
      to: { path: '^apps/web/src/(app|features)/' },
    },
    {
      name: 'lib-draws-nothing',
      severity: 'error',
      from: { path: '^apps/web/src/lib/', pathNot: test },
      to: { path: '^(apps/web/src/ui|node_modules/antd)/' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    // Tests use what the root declares for all workspaces.
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '[.]css$', '[.]svg$'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.css'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
