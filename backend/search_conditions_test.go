package backend

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// conditions are filters, and what they mean.
func conditions() (out []condition) {
	add := func(name, value string, session func(*naive) bool, text func(*naive, *naiveText) bool) {
		out = append(out, condition{name: name, value: value, session: session, text: text})
	}
	lower := strings.ToLower
	for _, agent := range []string{"codex", "claude", "pi", "gemini", "opencode", "openclaw", "crabtalk", "picoclaw", "night", "palimpsest"} {
		add("agent", agent, func(n *naive) bool {
			return *n.row.Agent == agent || agent == "claude" && *n.row.Agent == "claudecode" || agent == "palimpsest" && !n.row.Foreign
		}, nil)
	}
	for _, folder := range []string{"app", "api", "ann", "cmd", "nowhere", "nowhere,api", "cmd,ann"} {
		add("project", folder, func(n *naive) bool {
			folders := strings.Split(strings.Trim(*orEmpty(n.row.Cwd), "/"), "/")
			return slices.ContainsFunc(strings.Split(folder, ","), func(one string) bool {
				return slices.Contains(folders, one) || strings.Contains(folders[len(folders)-1], one)
			})
		}, nil)
	}
	for _, tool := range []string{"bash", "shell", "ls", "EXEC", "none", "none,LS", "bash,exec"} {
		same := func(name string) bool {
			return slices.ContainsFunc(strings.Split(tool, ","), func(one string) bool { return strings.EqualFold(name, one) })
		}
		add("tool", tool, func(n *naive) bool { return slices.ContainsFunc(n.tools, same) }, func(_ *naive, one *naiveText) bool { return same(one.tool) })
	}
	for value, is := range map[string]func(*naive) bool{
		"compacted": func(n *naive) bool { return *n.row.Compactions > 0 }, "archived": func(n *naive) bool { return n.row.ArchivedAt != nil },
		"foreign": func(n *naive) bool { return n.row.Foreign }, "imported": func(n *naive) bool { return n.row.ImportedFrom != nil },
	} {
		add("is", value, is, nil)
	}
	for _, state := range []string{"context", "summary", "dropped"} {
		add("in", state, nil, func(_ *naive, one *naiveText) bool { return one.state == state })
	}
	for _, scope := range []string{"user", "assistant", "thinking", "call", "output", "summary", "name", "injected"} {
		add("scope", scope, nil, func(_ *naive, one *naiveText) bool { return one.scope == scope })
	}
	for _, model := range []string{"gpt", "m1", "CLAUDE", "none", "none,m1"} {
		add("model", model, func(n *naive) bool {
			return slices.ContainsFunc(strings.Split(lower(model), ","), func(part string) bool {
				return slices.ContainsFunc(n.models, func(one string) bool { return strings.Contains(lower(one), part) })
			})
		}, nil)
	}
	for _, n := range []int{0, 1, 2} {
		add("compactions", fmt.Sprintf(">=%d", n), func(s *naive) bool { return *s.row.Compactions >= n }, nil)
	}
	for _, day := range []string{"2026-01-02", "2026-01", "2026-03-02", "2026"} {
		from, until := spanOf(day)
		add("after", day, nil, func(n *naive, one *naiveText) bool { _, last := n.when(one); return !last.Before(from) })
		add("before", day, nil, func(n *naive, one *naiveText) bool { _, last := n.when(one); return last.Before(from) })
		add("on", day, nil, func(n *naive, one *naiveText) bool {
			if one.at.IsZero() && len(n.times) > 0 { // it was on one of its days
				return slices.ContainsFunc(n.times, func(at time.Time) bool { return !at.Before(from) && at.Before(until) })
			}
			first, last := n.when(one)
			return !last.Before(from) && first.Before(until)
		})
	}
	return out
}

func orEmpty(text *string) *string {
	if text == nil {
		return new(string)
	}
	return text
}

// spanOf is a day, a month or a year here.
func spanOf(value string) (from, until time.Time) {
	layout := time.DateOnly[:len(value)]
	from, _ = time.ParseInLocation(layout, value, time.Local)
	switch len(value) {
	case len("2026"):
		return from, from.AddDate(1, 0, 0)
	case len("2026-01"):
		return from, from.AddDate(0, 1, 0)
	}
	return from, from.AddDate(0, 0, 1)
}
