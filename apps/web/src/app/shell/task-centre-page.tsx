import { useNavigate, useSearch } from '@tanstack/react-router';
import { TaskCentreScreen, type TaskCentreScreenProps } from '../../features/task/index.ts';

export const TaskCentrePage = () => {
  const search = useSearch({ from: '/$lang/shell/taskcenter' });
  const navigate = useNavigate();
  const change: TaskCentreScreenProps['onSearchChange'] = (next, how = 'push') =>
    void navigate({
      from: '/$lang/taskcenter',
      to: '/$lang/taskcenter',
      search: next,
      replace: how === 'replace',
    });
  return <TaskCentreScreen onSearchChange={change} search={search} />;
};
