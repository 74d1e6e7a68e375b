import { lazy } from 'react';

// A shared report must not load code that only the console needs.
const LazyDrawer = lazy(async () => ({ default: (await import('./diagnose-drawer.tsx')).DiagnoseDrawer }));

export { PublicDiagnoseScreen } from './public-diagnose.screen.tsx';
export { LazyDrawer as DiagnoseDrawer };
