import { count, plural } from '../format';

const sessions = (n: number) => plural(n, 'session', 'sessions');

export const statistics = {
  heading: 'What agents did on this machine',
  failed: 'The statistics could not be read',
  unknown: '—',
  filters: 'Filters',
  agent: 'Agent',
  everyAgent: 'Every agent',
  project: 'Project',
  everyProject: 'Every project',
  from: 'From',
  to: 'To',
  backwards: 'The first day comes after the last.',
  swap: 'Swap them',
  clear: 'Clear filters',
  nothing: 'Nothing happened here',
  nothingHint: 'No session that is read has anything in this range. Other filters may have.',
  showAll: 'Show everything',
  notYet: 'Nothing is read yet',
  notYetHint: 'What there is of sessions is added up here as it is read.',
  none: 'No sessions yet',
  noneHint:
    'What agents did on this machine is added up here once there is something. A sample conversation shows how.',
  coverage: (indexed: number, all: number) =>
    indexed === all
      ? `${sessions(all)} read`
      : `Of ${sessions(all)} ${count(indexed)} ${indexed === 1 ? 'is' : 'are'} read`,
  counted: 'archived ones and sub-agents count, too',
  looking: 'Looking for sessions',
  reading: { scanning: 'scanning', paused: 'the scan is paused', cancelled: 'the scan was cancelled' },
  off: 'The index is off: nothing is read ahead',
  copies: (n: number) => `${sessions(n)} only ${n === 1 ? 'repeats' : 'repeat'} what others hold`,
  noUsage: (n: number) => `${sessions(n)} ${n === 1 ? 'doesn’t' : 'don’t'} tell tokens`,
  noCost: (n: number) => `${sessions(n)} ${n === 1 ? 'doesn’t' : 'don’t'} tell all of the cost`,
  /** Of a sum that misses something: what, to be read beside it. */
  lacks: (usage: number, cost: number) =>
    usage > 0 || cost > 0
      ? `There is more than that: ${[
          ...(usage > 0 ? [`${sessions(usage)} ${usage === 1 ? 'doesn’t' : 'don’t'} tell all of the tokens`] : []),
          ...(cost > usage ? [`${sessions(cost)} ${cost === 1 ? 'doesn’t' : 'don’t'} tell all of the cost`] : []),
        ].join(', ')}`
      : '',
  totals: 'Altogether',
  metrics: {
    sessions: 'Sessions',
    messages: 'Messages',
    prompts: 'Your messages',
    tokens: 'Tokens',
    cost: 'Cost',
    compactions: 'Compactions',
    calls: 'Tool calls',
  },
  tokensOf: { input: 'Input', output: 'Output', cacheRead: 'Cache read', cacheWrite: 'Cache written' },
  heat: 'A year of days',
  heatLabel: (year: string) => `Messages of each day, ${year}`,
  heatDay: (day: string, messages: number, of: number) =>
    `${day}: ${plural(messages, 'message', 'messages')} in ${sessions(of)}`,
  heatNone: (day: string) => `${day}: nothing`,
  heatEmpty: 'Nothing in this year',
  earlier: 'The year before',
  later: 'The year after',
  less: 'less',
  more: 'more',
  overTime: 'Over time',
  metric: 'What is shown',
  others: 'Others',
  over: 'What it is told by',
  overs: { agent: 'By agent', project: 'By project', model: 'By model', tool: 'By tool' },
  span: { day: 'by day', week: 'by week', month: 'by month', year: 'by year' },
  asTable: 'As a table',
  day: 'Day',
  column: { day: 'Day', week: 'Week of', month: 'Month', year: 'Year' },
  byAgent: 'By agent',
  byProject: 'By project',
  byModel: 'By model',
  byTool: 'Tools',
  model: 'Model',
  tool: 'Tool',
  calls: 'Calls',
  errors: 'Errors',
  errorRate: 'Failed',
  noProject: 'No folder',
  noTools: 'No tool was called.',
  moreRows: (n: number) => `Show ${count(n)} more`,
  otherProjects: (n: number) => plural(n, 'other project', 'other projects'),
  allProjects: (n: number) => `Tell ${count(n)} more apart`,
  outside: (n: number, first: string, last: string) =>
    `${sessions(n)} ${n === 1 ? 'has' : 'have'} days that are not shown: all there are lie between ${first} and ${last}.`,
  showOutside: 'Show all of it',
  chart: (metric: string, span: string) => `${metric} ${span}`,
} as const;
