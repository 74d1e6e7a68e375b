export { type Description, DescriptionList } from './description-list.tsx';
