import { useEffect, useEffectEvent } from 'react';
import { createStore } from '../store/index.ts';

export interface Command {
  /** Unique within its group. */
  key: string;
  label: string;
  run: () => void;
}

/** Actions on an object on screen: the selected rows, or the SIM of the page. */
export interface CommandGroup {
  heading: string;
  commands: readonly Command[];
}

const groups = createStore<readonly CommandGroup[]>([]);

/** Offers commands to the palette while the screen is shown; hidden screens offer none. */
export const useOfferedCommands = ({ heading, commands }: CommandGroup): void => {
  const onRun = useEffectEvent((key: string) => commands.find((command) => command.key === key)?.run());
  const names = JSON.stringify(commands.map(({ key, label }) => ({ key, label })));
  useEffect(() => {
    const named = JSON.parse(names) as Omit<Command, 'run'>[];
    if (named.length === 0) return;
    const group = { heading, commands: named.map((one) => ({ ...one, run: () => onRun(one.key) })) };
    groups.set([...groups.get(), group]);
    return () => groups.set(groups.get().filter((one) => one !== group));
  }, [heading, names]);
};

/** The commands of the screens that are shown. */
export const useCommands = groups.use;
