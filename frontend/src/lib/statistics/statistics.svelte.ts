import {
  asBackendError,
  type Backend,
  type BackendError,
  type CourseAsked,
  type IndexState,
  type Statistics,
  type StatisticsFilter,
} from '../backend';

type Asked = Pick<Backend, 'statistics' | 'indexState'>;

/** The statistics as they were asked for. */
export class StatisticsPage {
  data = $state.raw<Statistics | null>(null);
  index = $state.raw<IndexState | null>(null);
  error = $state.raw<BackendError | null>(null);
  /** Agents and projects that there are, whatever is asked for. */
  agents = $state.raw<readonly string[]>([]);
  projects = $state.raw<readonly string[]>([]);
  private request = 0;

  constructor(private readonly backend: Asked) {}

  /** The days of the year that what is asked for ends with. */
  async year(filter: StatisticsFilter, course: CourseAsked): Promise<Statistics['days']> {
    return (await this.backend.statistics(filter, course)).days;
  }

  /** Asks; what was there stays until there is an answer. */
  async load(filter: StatisticsFilter, course: CourseAsked): Promise<void> {
    const request = ++this.request;
    try {
      const narrowed = filter.agent !== '' || filter.project !== '';
      const [data, all, index] = await Promise.all([
        this.backend.statistics(filter, course),
        narrowed ? this.backend.statistics({ ...filter, agent: '', project: '' }, course) : null,
        this.backend.indexState().catch(() => null),
      ]);
      if (request !== this.request) return;
      this.data = data;
      this.index = index;
      this.error = null;
      this.agents = (all ?? data).agents.map(({ agent }) => agent);
      this.projects = (all ?? data).projects
        .map(({ project }) => project)
        .filter((project) => project !== '' && project !== '.');
    } catch (cause) {
      if (request === this.request) this.error = asBackendError(cause);
    }
  }
}
