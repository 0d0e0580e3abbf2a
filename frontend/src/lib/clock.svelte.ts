import { dayOf } from './days';

/** The day it is, for as long as the window is open. */
export class Clock {
  today = $state(dayOf(Date.now()));

  /** Looks at the time once a minute; returns a function that stops it. */
  start(): () => void {
    const timer = setInterval(() => {
      this.today = dayOf(Date.now());
    }, 60_000);
    return () => {
      clearInterval(timer);
    };
  }
}
