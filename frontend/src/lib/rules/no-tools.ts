import { later } from '../text/later';

/** What can be done where the model is offered no tools, by why that is. */
export function nextStep(why: string, cwd: string | null | undefined): string {
  const { next } = later.rules;
  if (why.includes('tools.enabled')) return next.off;
  return cwd ? next.gone : next.noFolder;
}
