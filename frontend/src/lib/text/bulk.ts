import { count, plural } from '../format';

const sessions = (n: number) => plural(n, 'session', 'sessions');
const are = (n: number) => (n === 1 ? 'is' : 'are');
const foreign = (n: number) =>
  n === 1
    ? 'One belongs to another agent, and stays as it is.'
    : `${count(n)} belong to other agents, and stay as they are.`;
const already = (n: number) =>
  n === 1
    ? 'One stays as it is: of another agent, or there already.'
    : `${count(n)} stay as they are: of other agents, or there already.`;
const vanished = (n: number) =>
  n === 1 ? 'One was left out: it is not there any more.' : `${count(n)} were left out: they are not there any more.`;

/** What is done with several sessions at once. */
export const bulk = {
  title: 'Chosen sessions',
  chosen: (n: number, inView: number) =>
    inView === n ? `${count(n)} chosen` : `${count(n)} chosen, ${inView === 0 ? 'none' : count(inView)} in view`,
  outOfView: 'What is not in view stays as it is.',
  select: (name: string) => `Choose ${name}`,
  isChosen: 'Chosen:',
  choose: 'Choose several',
  unchoose: 'Choose no more',
  archive: 'Archive',
  unarchive: 'Unarchive',
  trash: 'Move to trash',
  restore: 'Restore',
  import: 'Import copies',
  clear: 'Choose none',
  more: 'What to do with them',
  formats: {
    markdown: 'Markdown, for people',
    jsonl: 'JSONL, your logs as they are, with secrets',
    pi: 'A session of pi',
  },
  exportTitle: 'Export as',
  stop: 'Stop',
  allVanished: 'None of them is there any more',
  progress: {
    archive: 'Archiving',
    unarchive: 'Unarchiving',
    trash: 'Moving to the trash',
    restore: 'Restoring',
    export: 'Exporting',
    import: 'Importing',
  },
  of: (done: number, total: number) => `${count(done)} of ${count(total)}`,
  done: {
    archive: (n: number) => `${sessions(n)} ${are(n)} archived.`,
    unarchive: (n: number) => `${sessions(n)} ${are(n)} back in the library.`,
    trash: (n: number) => `${sessions(n)} ${are(n)} in the trash.`,
    restore: (n: number) => `${sessions(n)} ${are(n)} restored.`,
    export: (n: number) => `${sessions(n)} ${are(n)} exported.`,
    import: (n: number) => `${sessions(n)} ${are(n)} yours as a copy.`,
  },
  left: {
    archive: already,
    unarchive: already,
    trash: foreign,
    restore: foreign,
    export: vanished,
    import: (n: number) => (n === 1 ? 'One is yours already.' : `${count(n)} are yours already.`),
  },
  failed: {
    archive: (n: number) => `${sessions(n)} could not be archived: see why.`,
    unarchive: (n: number) => `${sessions(n)} could not be brought back into the library: see why.`,
    trash: (n: number) => `${sessions(n)} could not be moved to the trash: see why.`,
    restore: (n: number) => `${sessions(n)} could not be restored: see why.`,
    export: (n: number) => `${sessions(n)} could not be exported: see why.`,
    import: (n: number) => `${sessions(n)} could not be imported: see why.`,
  },
  notRestored: (n: number, why: string) => `${sessions(n)} could not be restored: ${why}`,
  stopped: 'Then it was stopped.',
  outcome: {
    title: 'What did not succeed',
    done: (n: number, failed: number) =>
      n === 0
        ? `${failed === 1 ? 'It did not go' : `None of ${sessions(failed)} went`} well, and nothing was changed:`
        : `${sessions(n)} went well; nothing was changed in ${failed === 1 ? 'this one' : `these ${count(failed)}`}:`,
    list: 'Those that it failed for',
  },
  leftOut: (n: number) => (n === 1 ? '1 secret was left out.' : `${count(n)} secrets were left out.`),
  savedIn: (n: number, place: string) => `${sessions(n)} ${are(n)} in ${place}.`,
} as const;
