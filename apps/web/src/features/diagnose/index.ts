import { lazyPart } from '../../lib/chunks/index.ts';

// A shared report must not load code that only the console needs.
const LazyDrawer = lazyPart(async () => (await import('./diagnose-drawer.tsx')).DiagnoseDrawer);

export { PublicDiagnoseScreen } from './public-diagnose.screen.tsx';
export { LazyDrawer as DiagnoseDrawer };
