/** How long what was found before stands there as if it were found for what is in the field now, in milliseconds. */
const GRACE = 150;

/** Whether what is shown answers something else than what is in the field, for longer than a moment. */
export class Late {
  is = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** What is shown does so from now on, however often what is in the field changes before it is answered. */
  begin(): void {
    this.timer ??= setTimeout(() => (this.is = true), GRACE);
  }

  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.is = false;
  }
}
