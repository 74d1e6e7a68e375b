export { Beside, type BesideProps } from './beside.tsx';
