export { ProductMark } from './product-mark.tsx';
export { PublicFrame } from './public-frame.tsx';
