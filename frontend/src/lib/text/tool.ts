import { count, plural } from '../format';

export const tool = {
  noResult: 'no result',
  runningFor: 'running\u00a0',
  nothingYet: 'Nothing has come of it yet',
  waiting: 'waiting',
  asked: 'asks you',
  done: 'done',
  elapsed: (seconds: number) =>
    seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`,
  outputCut: 'What it printed before is in the result once it has ended.',
  error: 'error',
  output: 'Output',
  noOutput: 'No output',
  arguments: 'Arguments',
  result: 'Result',
  lines: (n: number) => plural(n, 'line', 'lines'),
  changes: (added: number, removed: number) => `+${count(added)} −${count(removed)}`,
  changesLabel: (added: number, removed: number) =>
    `${plural(added, 'line', 'lines')} added, ${plural(removed, 'line', 'lines')} removed`,
  raw: 'Raw',
  copyOutput: 'Copy output',
  copyCommand: 'Copy command',
  moreLines: (n: number) => `Show more · ${plural(n, 'line', 'lines')} left`,
  newFile: 'new',
  approval: {
    label: (tool: string) => `May ${tool} run?`,
    once: 'Once',
    session: 'This session',
    always: 'Always',
    no: 'No',
    reason: 'Reason for the model',
    rules: (rules: string) => `This session and Always allow ${rules}`,
  },
  subagent: 'Open the sub-agent’s conversation',
  standalone: 'Tool result',
} as const;
