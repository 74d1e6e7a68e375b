export * from './requests.ts';
export * from './schemas.ts';
