import { describe, expect, test } from 'vitest';
import { withFact } from './keeping';

const GOAL = '## Goal\nKeep the lights on.';

describe('what was lost', () => {
  test('gets a section where there is none, at the end', () => {
    expect(withFact(`${GOAL}\n`, 'src/a.go')).toBe(`${GOAL}\n\n## Critical Context\n- src/a.go`);
    expect(withFact('', 'src/a.go')).toBe('## Critical Context\n- src/a.go');
  });

  test('goes behind what the section says, at the end and in the middle', () => {
    const section = `${GOAL}\n\n## Critical Context\n- nginx\n`;
    expect(withFact(section, 'src/a.go')).toBe(`${GOAL}\n\n## Critical Context\n- nginx\n- src/a.go`);
    expect(withFact(`${section}### Ports\n- 80\n\n\n## Turn So Far\nIt began.\n`, '443')).toBe(
      `${section}### Ports\n- 80\n- 443\n\n## Turn So Far\nIt began.\n`,
    );
  });

  test('never goes behind the lists of files', () => {
    const files = '<read-files>\na.go\n</read-files>\n\n<modified-files>\nb.go\n</modified-files>';
    expect(withFact(`${GOAL}\n\n${files}`, '40 s')).toBe(`${GOAL}\n\n## Critical Context\n- 40 s\n\n${files}`);
    expect(withFact(`## Critical Context\n- nginx\n\n${files}`, '40 s')).toBe(
      `## Critical Context\n- nginx\n- 40 s\n\n${files}`,
    );
  });

  test('ends its lines as the text does', () => {
    expect(withFact('## Goal\r\nIt.\r\n', 'a')).toBe('## Goal\r\nIt.\r\n\r\n## Critical Context\r\n- a');
    expect(withFact('## Critical Context\r\n- b\r\n\r\n## More\r\n', 'a')).toBe(
      '## Critical Context\r\n- b\r\n- a\r\n\r\n## More\r\n',
    );
  });

  test('is there once', () => {
    const once = withFact(GOAL, 'src/a.go');
    expect(withFact(once, 'src/a.go')).toBe(once);
    expect(withFact(once, 'src/a')).toBe(`${once}\n- src/a`);
  });

  test('takes the place of a section that says that there is nothing', () => {
    for (const none of ['- none', '(none)', '- (none)', 'None.']) {
      expect(withFact(`## critical context:\n${none}\n\n## More`, 'a')).toBe('## critical context:\n- a\n\n## More');
    }
  });

  test('is one line, and is not put into code that looks like a section', () => {
    expect(withFact(GOAL, ' exit 1:\r\n  no such file\n')).toBe(
      `${GOAL}\n\n## Critical Context\n- exit 1: no such file`,
    );
    const code = '```sh\n## Critical Context\n# up\n```';
    expect(withFact(code, 'a')).toBe(`${code}\n\n## Critical Context\n- a`);
    expect(withFact(`## Critical Context\n${code}\n\n## More`, 'a')).toBe(
      `## Critical Context\n${code}\n- a\n\n## More`,
    );
  });
});
