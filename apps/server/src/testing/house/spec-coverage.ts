import type { EndpointShape } from '@simcube/contract';
import { addedCalls, addedScreens, type SpecCall, specCalls, specScreens } from '@simcube/contract/spec';
import { screenPaths } from '../../../../web/src/app/route-paths.ts';
import { registeredRoutes } from './registered-routes.ts';

export interface CoverageLine {
  group: string;
  name: string;
  built: boolean;
}

export interface Coverage {
  calls: CoverageLine[];
  screens: CoverageLine[];
  /** Built, but neither in the specification nor in the list of additions. */
  unknown: string[];
}

/** The names of parameters differ between the specification and the records; their positions do not. */
const unnamed = (call: string): string => call.replaceAll(/\{\w+\}/g, '{}');
const keyOf = ({ method, path }: Pick<EndpointShape | SpecCall, 'method' | 'path'>): string =>
  unnamed(`${method} ${path}`);

/** Compares what is registered with what the specification lists in its sections 2 and 7. */
export const specCoverage = (): Coverage => {
  const registered = new Set(registeredRoutes().map(({ endpoint }) => keyOf(endpoint)));
  const shown = new Set<string>(screenPaths);
  const calls = specCalls.map((call) => ({
    group: call.group,
    name: `${call.method} ${call.path}`,
    built: registered.has(keyOf(call)),
  }));
  const screens = Object.entries(specScreens).flatMap(([group, paths]) =>
    paths.map((path) => ({ group, name: path, built: shown.has(path) })),
  );
  const specified = new Set([...specCalls.map(keyOf), ...screens.map(({ name }) => name)]);
  const allowed = new Set([...Object.keys(addedCalls).map(unnamed), ...Object.keys(addedScreens)]);
  return {
    calls,
    screens,
    unknown: [...registered, ...shown].filter((key) => !specified.has(key) && !allowed.has(key)),
  };
};

export interface Built {
  calls: string[];
  screens: string[];
}

export const builtOf = ({ calls, screens }: Coverage): Built => ({
  calls: calls.filter((line) => line.built).map((line) => line.name),
  screens: screens.filter((line) => line.built).map((line) => line.name),
});
