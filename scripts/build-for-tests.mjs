// What tests start in processes of their own; called by their set-up.
import { buildForTests } from './build.mjs';

await buildForTests();
