package literal

import (
	"regexp"
	"strings"
)

// ruled is the line below the heading of a table, which says where its columns stand.
var ruled = regexp.MustCompile(`^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*$`)

// inCells puts each cell of a table on a line of its own, as they are shown one behind the other: a table is a line with bars, one that
// rules it, and all that follow with bars.
func inCells(s string) string {
	if !strings.Contains(s, "|") || !strings.Contains(s, "-") {
		return s
	}
	lines := strings.Split(s, "\n")
	out := lines[:0]
	for i := 0; i < len(lines); i++ {
		if i+1 == len(lines) || !strings.Contains(lines[i], "|") || !ruled.MatchString(lines[i+1]) {
			out = append(out, lines[i])
			continue
		}
		heading := cellsOf(lines[i])
		i += 2
		rows := []string{heading}
		for ; i < len(lines) && strings.Contains(lines[i], "|"); i++ {
			rows = append(rows, cellsOf(lines[i]))
		}
		out = append(out, strings.Join(rows, "\n"))
		i--
	}
	return strings.Join(out, "\n")
}

// cellsOf are the cells of a row, each on a line. A bar behind a backslash is one of its text.
func cellsOf(row string) string {
	const bar = "\x00"
	row = strings.ReplaceAll(strings.TrimSpace(row), `\|`, bar)
	row = strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|")
	cells := strings.Split(row, "|")
	for i := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(cells[i]), bar, "|")
	}
	return strings.Join(cells, "\n")
}
