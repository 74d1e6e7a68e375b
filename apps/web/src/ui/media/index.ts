export { narrow, phone, stillness, touch, useMedia } from './use-media.ts';
