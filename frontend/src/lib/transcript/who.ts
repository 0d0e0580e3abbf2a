import type { RawRecord } from '../backend';
import { known } from '../known';
import { text } from '../text';
import { str } from './record';

/** Whose words a message is: what stands as the user's may be what another agent asks. */
export function whoSaid(record: RawRecord): string {
  const role = record.byAgent === true ? 'byAgent' : str(record.role);
  return known(text.transcript.who, role) ?? text.transcript.unknownRole(role);
}
