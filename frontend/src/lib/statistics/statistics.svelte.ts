import {
  asBackendError,
  type Backend,
  type BackendError,
  type CourseAsked,
  type IndexState,
  type Statistics,
  type StatisticsFilter,
} from '../backend';
import { OnceMore, Question } from '../once-more';

type Asked = Pick<Backend, 'statistics' | 'indexState'>;

/** The statistics as they were asked for. */
export class StatisticsPage {
  data = $state.raw<Statistics | null>(null);
  index = $state.raw<IndexState | null>(null);
  error = $state.raw<BackendError | null>(null);
  /** Agents and projects that there are, whatever is asked for. */
  agents = $state.raw<readonly string[]>([]);
  projects = $state.raw<readonly string[]>([]);
  private readonly question = new Question();
  private readonly standing = new OnceMore(async () => {
    this.index = await this.backend.indexState().catch(() => null);
  });

  constructor(private readonly backend: Asked) {}

  /** The days of the year that what is asked for ends with. */
  async year(filter: StatisticsFilter, course: CourseAsked): Promise<Statistics['days']> {
    return (await this.backend.statistics(filter, course)).days;
  }

  /** Asks; what was there stays until there is an answer. How far the index is shows at once. */
  async load(filter: StatisticsFilter, course: CourseAsked): Promise<void> {
    await Promise.all([
      this.standing.now(),
      this.question.now(JSON.stringify([filter, course]), (isWanted) => this.ask(filter, course, isWanted)),
    ]);
  }

  private async ask(filter: StatisticsFilter, course: CourseAsked, isWanted: () => boolean): Promise<void> {
    try {
      const narrowed = filter.agent !== '' || filter.project !== '';
      const [data, all] = await Promise.all([
        this.backend.statistics(filter, course),
        narrowed ? this.backend.statistics({ ...filter, agent: '', project: '' }, course) : null,
      ]);
      if (!isWanted()) return;
      this.data = data;
      this.error = null;
      this.agents = (all ?? data).agents.map(({ agent }) => agent);
      this.projects = (all ?? data).projects
        .map(({ project }) => project)
        .filter((project) => project !== '' && project !== '.');
    } catch (cause) {
      if (isWanted()) this.error = asBackendError(cause);
    }
  }
}
