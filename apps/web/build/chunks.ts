/**
 * Few chunks, each for a moment: a page is fetched in one round, and what one place changes leaves the others cached.
 * A chunk takes along what its modules import and no chunk before it has.
 */
export const chunks = [
  // What every page needs, apart from our own code, so that a new version of the console leaves it cached.
  {
    name: 'vendor',
    test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|store|react-store)|i18next|react-i18next|zod)\//,
  },
  // What every page says, asks and remembers.
  {
    name: 'start',
    test: /\/src\/(main\.tsx$|lib\/(?!(orders|entered-identifiers)\/)|pool\/access\.ts$|features\/public\/(public-frame|product-mark)\.tsx$|ui\/(link|password-generator)\/)/,
  },
  // Ahead of the frame, which needs what stands beside these, and none of them.
  {
    name: 'forms',
    test: /\/@rc-component\/(async-validator\/|form\/es\/(?!(Form|Field)Context))/,
    includeDependenciesRecursively: false,
  },
  // The frame of the console with what its palette can do, and what nearly every page is made of.
  {
    name: 'shell',
    test: /\/src\/(app\/shell\/index\.ts$|features\/sim\/operations\/operation\.ts$|ui\/(answer|page|card|chart(?=\/(?!stack|ranked|burn|share|legend))|status|time|bytes|empty|failure|identifier|link|loading|media|pace|segmented|sparkline|theme|usage-bar)\/)/,
  },
  // Lists, forms, orders and what opens over them, and what SIMs are asked about: cost, place and diagnosis. What one page
  // alone has stays with it.
  {
    name: 'kit',
    test: /\/src\/ui\/(?!(world-map|password-generator|export-form|beside)\/|chart\/(stack|ranked|burn|share|legend)|segmented\/segmented-links)|\/src\/lib\/(orders|entered-identifiers)\/|\/contract\/src\/(price|place|diagnose)\//,
  },
  // What the dashboard, the messages and the operations of SIMs ask about SMS, as one file.
  {
    name: 'sms-contract',
    test: /\/contract\/src\/sms\//,
  },
  // The words of the console with those of its components.
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
