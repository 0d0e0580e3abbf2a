package compaction

import (
	"regexp"
	"slices"
	"strings"

	"palimpsest/backend/tokens"
)

// sections are the lines of a summary by heading; a subsection is named with the section it belongs to.
type sections struct {
	lines map[string][]string
	// others are sections and subsections that the format does not have, in order.
	others []string
}

// under stands between a section's heading and that of its subsection: no heading has a line break.
const under = "\n"

// The parts of Progress.
const (
	progressDone    = "Progress" + under + "Done"
	progressOpen    = "Progress" + under + "In Progress"
	progressBlocked = "Progress" + under + "Blocked"
)

// layout is the format's order. Turn So Far is there only where a turn is split.
var layout = []string{
	"Goal", "Constraints & Preferences", "Progress", progressDone, progressOpen, progressBlocked,
	"Key Decisions", "Next Steps", "Critical Context",
}

const turnHeading = "Turn So Far"

var headingLine = regexp.MustCompile(`^(##|###)[ \t]+(.*?)[ \t]*:?[ \t]*$`)

// emptyLine is what an empty section says.
const emptyLine = "- none"

// sectionsOf takes a summary apart. Text before the first heading belongs to the goal.
func sectionsOf(summary string) *sections {
	s := &sections{lines: map[string][]string{}}
	section, at := "Goal", "Goal"
	for line := range strings.SplitSeq(summary, "\n") {
		line = strings.TrimRight(line, "\r \t")
		if match := headingLine.FindStringSubmatch(line); match != nil {
			name := match[2]
			if match[1] == "###" {
				name = section + under + name
			}
			if named, ok := s.named(name); ok {
				at = named
				section, _, _ = strings.Cut(at, under)
				continue
			}
		}
		if line != "" && line != emptyLine {
			s.lines[at] = append(s.lines[at], line)
		}
	}
	return s
}

// named is a section as the format spells it. One that the format does not have is remembered, unless there are too many:
// then it is not ok.
func (s *sections) named(name string) (spelled string, ok bool) {
	for _, known := range append([]string{turnHeading}, layout...) {
		if strings.EqualFold(known, name) {
			return known, true
		}
	}
	if slices.Contains(s.others, name) {
		return name, true
	}
	if len(s.others) == sectionMost {
		return "", false
	}
	s.others = append(s.others, name)
	return name, true
}

// add puts items behind those that are there, but for what is there already.
func (s *sections) add(name string, items []string) {
	for _, item := range items {
		if !slices.Contains(s.lines[name], item) {
			s.lines[name] = append(s.lines[name], item)
		}
	}
}

// drop takes out lines that hold no longer.
func (s *sections) drop(name string, over func(string) bool) {
	s.lines[name] = slices.DeleteFunc(s.lines[name], over)
}

// A summary must not grow with every compaction: sectionMost is what a section may have in lines, down to sectionLeast
// while all of it is over summaryTokens.
const (
	sectionMost   = 60
	sectionLeast  = 7
	summaryTokens = 8000
)

// bound takes out lines, and says how many, until the summary is short enough.
func (s *sections) bound() {
	for most := sectionMost; most >= sectionLeast; most /= 2 {
		for name, lines := range s.lines {
			s.lines[name] = newest(lines, most)
		}
		if tokens.Estimate(s.String()) <= summaryTokens {
			return
		}
	}
}

func (s *sections) String() string {
	var out strings.Builder
	names := slices.Concat(layout, []string{turnHeading}, s.others)
	for _, section := range names {
		if strings.Contains(section, under) {
			continue
		}
		parts := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !strings.HasPrefix(name, section+under) })
		if slices.Contains(layout, section) || len(s.lines[section]) > 0 || len(parts) > 0 {
			s.write(&out, "## "+section, section, len(parts) > 0)
		}
		for _, part := range parts {
			s.write(&out, "### "+strings.TrimPrefix(part, section+under), part, false)
		}
	}
	return strings.TrimSpace(out.String())
}

// write lays out one section; an empty one that has no parts says that there is nothing. As in the format, an empty line
// is before each heading but one that directly follows another.
func (s *sections) write(out *strings.Builder, heading, name string, hasParts bool) {
	section, _, isPart := strings.Cut(name, under)
	if first := isPart && len(s.lines[section]) == 0 && strings.HasSuffix(out.String(), "## "+section+"\n"); !first && out.Len() > 0 {
		out.WriteString("\n")
	}
	out.WriteString(heading + "\n")
	lines := s.lines[name]
	if len(lines) == 0 && !hasParts {
		lines = []string{emptyLine}
	}
	for _, line := range lines {
		out.WriteString(line + "\n")
	}
}
