// Builds the programs that tests start as separate processes; called by the tests' set-up.
import { buildForTests } from './build.mjs';

await buildForTests();
