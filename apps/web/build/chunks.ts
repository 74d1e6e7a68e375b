/** Parts of the kit that nearly every page uses. */
export const frameParts =
  'query page card status time bytes empty failure identifier link loading media throttle segmented sparkline theme usage-bar visually-hidden'.split(
    ' ',
  );
/** Parts of the kit that only one page uses. */
export const pageParts = ['world-map', 'password-generator', 'export-form', 'side-panel'];

const [frame, alone] = [frameParts.join('|'), pageParts.join('|')];

/**
 * Few chunks, each for one stage of loading: a page is fetched in one round trip, and a change in one place leaves the other
 * chunks cached. A chunk includes everything that its modules import and that no earlier chunk contains.
 */
export const chunks = [
  // The packages that every page needs. Our own code is separate, so a new version of the console leaves this chunk cached.
  {
    name: 'vendor',
    test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|store|react-store)|i18next|react-i18next|zod)\//,
  },
  // Texts, API client and browser state of every page.
  {
    name: 'start',
    test: /\/src\/(main\.tsx$|lib\/(?!(orders|entered-identifiers)\/)|pool\/access\.ts$|features\/public\/(public-frame|product-mark)\.tsx$|ui\/(link|password-generator)\/)/,
  },
  // Listed before the frame, which needs modules that would otherwise share a chunk with these, but not these themselves.
  {
    name: 'forms',
    test: /\/@rc-component\/(async-validator\/|form\/es\/(?!(Form|Field)Context))/,
    includeDependenciesRecursively: false,
  },
  // The console's frame with the actions of its palette, and the components that nearly every page uses.
  {
    name: 'shell',
    test: new RegExp(
      `/src/(app/shell/index\\.ts$|features/sim/operations/operation\\.ts$|ui/(${frame}|chart(?=/(?!stack|ranked|burn|share|legend)))/)`,
    ),
  },
  // Lists, forms, orders and overlays, and the parts about SIMs that several pages share: cost, place and diagnosis. Code that
  // only one page uses stays with that page.
  {
    name: 'kit',
    test: new RegExp(
      `/src/ui/(?!(${alone})/|chart/(stack|ranked|burn|share|legend)|segmented/segmented-links)|/src/lib/(orders|entered-identifiers)/|/contract/src/(price|place|diagnose)/`,
    ),
  },
  // The SMS contract of dashboard, messages and SIM operations, as one file.
  {
    name: 'sms-contract',
    test: /\/contract\/src\/sms\//,
  },
  // The console's texts together with those of its components.
  ...[
    { language: 'en-US', locale: 'en_GB' },
    { language: 'zh-CN', locale: 'zh_CN' },
    { language: 'zh-TW', locale: 'zh_TW' },
    { language: 'es-ES', locale: 'es_ES' },
  ].map(({ language, locale }) => ({
    name: `words-${language}`,
    test: new RegExp(`/phrases/src/${language}/console\\.ts$|/antd/es/locale/${locale}\\.js$`),
  })),
].map((group, index, { length }) => ({ ...group, priority: length - index }));
