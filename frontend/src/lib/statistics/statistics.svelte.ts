import {
  asBackendError,
  type Backend,
  type BackendError,
  type IndexState,
  type Statistics,
  type StatisticsFilter,
} from '../backend';
import { rest, type Series } from './series';

// More would be told apart by nobody; the rest is one series.
const SERIES = 6;

type Asked = Pick<Backend, 'statistics' | 'indexState'>;

/** The statistics as they were asked for, and what stands behind them by agent. */
export class StatisticsPage {
  data = $state.raw<Statistics | null>(null);
  series = $state.raw<readonly Series[]>([]);
  index = $state.raw<IndexState | null>(null);
  error = $state.raw<BackendError | null>(null);
  /** Agents and projects that there are, whatever is asked for. */
  agents = $state.raw<readonly string[]>([]);
  projects = $state.raw<readonly string[]>([]);
  private request = 0;

  constructor(private readonly backend: Asked) {}

  /** Asks; what was there stays until there is an answer. */
  async load(filter: StatisticsFilter): Promise<void> {
    const request = ++this.request;
    try {
      const narrowed = filter.agent !== '' || filter.project !== '';
      const [data, all, index] = await Promise.all([
        this.backend.statistics(filter),
        narrowed ? this.backend.statistics({ ...filter, agent: '', project: '' }) : null,
        this.backend.indexState().catch(() => null),
      ]);
      if (request !== this.request) return;
      this.data = data;
      this.series = byAgent(data);
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

/** The days of each agent: those with the most sessions by themselves. */
function byAgent({ agents, days }: Statistics): Series[] {
  const [only, ...more] = agents;
  if (!only || more.length === 0) return [{ agent: only?.agent ?? '', days }];
  const series = agents
    .toSorted((a, b) => b.sessions - a.sessions)
    .slice(0, SERIES)
    .map((one) => ({ agent: one.agent, days: one.days ?? [] }));
  if (series.length === agents.length) return series;
  return [...series, { agent: '', days: rest(days, series) }];
}
