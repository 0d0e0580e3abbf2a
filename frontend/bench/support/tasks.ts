/** What the browser notes of a stretch of work, in microseconds; of `tdur` its thread worked. */
export interface Traced {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

const TASK = 'ThreadControllerImpl::RunTask';
// What waits for a promise runs behind what the browser calls a task.
const PROMISES = 'BlinkScheduler_PerformMicrotaskCheckpoint';

export const threadOf = ({ pid, tid }: Traced) => `${pid}/${tid}`;

/** The tasks of a thread, each with when it began, in microseconds, and how many milliseconds the thread worked on it and on what waited for it. */
export function tasksOf(thread: string, events: readonly Traced[]): { ts: number; worked: number }[] {
  const parts = events
    .filter((event) => threadOf(event) === thread && [TASK, PROMISES].includes(event.name))
    .sort((a, b) => a.ts - b.ts);
  const tasks: { ts: number; worked: number }[] = [];
  let end = 0;
  for (const { name, ts, dur = 0, tdur = 0 } of parts) {
    if (ts < end) continue; // one within another
    end = ts + dur;
    const last = tasks.at(-1);
    if (name === PROMISES && last) last.worked += tdur / 1000;
    else tasks.push({ ts, worked: tdur / 1000 });
  }
  return tasks;
}
