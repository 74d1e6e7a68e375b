export { narrow, phone, stillness, useMedia } from './use-media.ts';
