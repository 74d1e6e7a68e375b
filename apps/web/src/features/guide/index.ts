export { GuideScreen } from './guide.screen.tsx';
export { guideLinks, guidePage, guidePages, pathOfPlace, placeOf } from './pages.ts';
