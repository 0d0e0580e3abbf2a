/** While the index grows, the answer is asked for anew this often at most, in milliseconds, and for a tenth of the time. */
const OFTEN = 1500;
const SHARE = 10;
/** However long one took, as while the machine slept. */
const MOST = 30_000;

/** When an answer that is shown is looked at again, since the index has grown. */
export interface Freshness {
  /** The index has grown: the same question may have another answer. */
  grew: () => void;
  /** It is looked at again if it has to be, and if that is due. */
  plan: () => void;
  /** All that there is by now is asked for. */
  asked: () => void;
  /** Nothing is looked at until the next plan. */
  rest: () => void;
  /** Something else is asked, which need not wait for what this took. */
  anew: () => void;
}

export function freshness(look: () => Promise<void>, due: () => boolean): Freshness {
  let behind = false;
  let busy = false;
  let wait = OFTEN;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    if (behind && !busy && timer === undefined && due()) timer = setTimeout(() => void again(), wait);
  };
  const again = async () => {
    timer = undefined;
    busy = true;
    const began = performance.now();
    await look();
    wait = Math.min(MOST, Math.max(OFTEN, SHARE * (performance.now() - began)));
    busy = false;
    plan();
  };
  const rest = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    grew() {
      behind = true;
      plan();
    },
    plan,
    asked() {
      behind = false;
    },
    rest,
    anew() {
      rest();
      wait = OFTEN;
    },
  };
}
