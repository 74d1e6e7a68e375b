export { Figure, Figures } from './figures.tsx';
