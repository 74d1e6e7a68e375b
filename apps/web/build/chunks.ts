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
    test: /\/src\/(main\.tsx$|lib\/|pool\/access\.ts$|features\/public\/(public-frame|product-mark)\.tsx$|ui\/(link|password-generator)\/)/,
  },
  // Ahead of the frame, which needs what stands beside these, and none of them.
  {
    name: 'forms',
    test: /\/@rc-component\/(async-validator\/|form\/es\/(?!(Form|Field)Context))/,
    includeDependenciesRecursively: false,
  },
  // The frame of the console, and what nearly every page is made of.
  {
    name: 'shell',
    test: /\/src\/(app\/shell\/index\.ts$|ui\/(answer|page|card|chart(?=\/(?!stack|ranked|burn|share|legend))|status|time|bytes|empty|failure|identifier|link|media|pace|segmented|skeleton|sparkline|theme|usage-bar)\/)/,
  },
  // Lists, forms and what opens over them, and what SIMs and pools cost; what one page alone has stays with it.
  {
    name: 'kit',
    test: /\/src\/ui\/(?!(world-map|password-generator)\/|chart\/(stack|ranked|burn|share|legend)|segmented\/segmented-links)|\/contract\/src\/price\//,
  },
].map((group, index, { length }) => ({ ...group, priority: length - index }));
