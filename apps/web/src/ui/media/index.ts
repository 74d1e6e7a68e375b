export { phone, stillness, useMedia } from './use-media.ts';
