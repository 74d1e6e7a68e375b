import { lazy } from 'react';

// Whoever opens a shared report shall not wait for what only the console needs.
const LazyDrawer = lazy(async () => ({ default: (await import('./diagnose-drawer.tsx')).DiagnoseDrawer }));

export { PublicDiagnoseScreen } from './public-diagnose.screen.tsx';
export { LazyDrawer as DiagnoseDrawer };
