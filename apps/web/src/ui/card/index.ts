export { Card, type CardProps } from './card.tsx';
export { Pill, type PillProps } from './pill.tsx';
