import { Breath } from '../breath';
import { parseExactly } from '../json/exact';

/** The values that an answer has one a line, read as they come; of many, the page goes on in between. */
export async function valuesOf<T>(response: Response, make = (value: unknown) => value as T): Promise<T[]> {
  const values: T[] = [];
  const breath = new Breath();
  const decoder = new TextDecoder();
  let rest = '';
  const take = async (text: string) => {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      values.push(make(parseExactly(text.slice(from, end))));
      from = end + 1;
      if (breath.due) await breath.take();
    }
    rest = text.slice(from);
  };
  const body = response.body?.getReader();
  if (!body) await take(await response.text());
  else
    for (let { done, value } = await body.read(); !done; { done, value } = await body.read())
      await take(rest + decoder.decode(value, { stream: true }));
  // Of an answer that was cut off, what is left is no value: that is an error.
  if (rest.trim()) await take(`${rest}\n`);
  return values;
}
