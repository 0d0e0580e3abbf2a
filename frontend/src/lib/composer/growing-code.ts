import { visible } from '../visible';

// A part is laid out anew with every line it gets, those before it are not.
const PART = 2000;

/** Shows code that grows at its end: what is there already is left alone. */
export class GrowingCode {
  private known = '';
  private text = new Text();
  /** The last line, which is shown anew until it is complete. */
  private readonly line = new Text();

  constructor(private readonly element: Element) {
    this.begin();
  }

  show(source: string): void {
    // A line is not over as long as nothing comes after it.
    const code = source.replace(/\n$/, '');
    if (!code.startsWith(this.known)) {
      this.element.replaceChildren();
      this.known = '';
      this.begin();
    }
    const end = code.lastIndexOf('\n') + 1;
    const more = code.slice(this.known.length, end);
    if (more) {
      if (this.text.length > PART) this.begin();
      this.text.appendData(visible(more));
      this.known += more;
    }
    const line = visible(code.slice(end));
    if (line !== this.line.data) this.line.data = line;
  }

  private begin(): void {
    const part = document.createElement('span');
    this.text = new Text();
    part.append(this.text, this.line);
    this.element.append(part);
  }
}
