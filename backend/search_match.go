package backend

import (
	"iter"
	"slices"
	"strings"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
)

// contains tells whether a text contains another, whatever the case and however accents are written.
func contains(text, part string) bool {
	return strings.Contains(index.Folded(text), index.Folded(part))
}

// unspaced is made once: making it takes longer than to use it for all sessions.
var unspaced = strings.NewReplacer("-", "", "_", "", " ", "")

// agentWord is an agent's name as it is compared: Claude Code is claude-code, claude_code and claude.
func agentWord(name string) string {
	word := unspaced.Replace(strings.ToLower(name))
	if word == "claude" {
		return "claudecode"
	}
	return word
}

// worksIn tells whether a folder is, or lies in, one that a value of project: means: part of the last folder's name, or the whole
// name of any; with a slash in it, of either kind, part of the path. It is generous: somebody types it.
func worksIn(cwd, value string) bool {
	path, wanted := strings.ReplaceAll(index.Folded(cwd), `\`, "/"), strings.ReplaceAll(index.Folded(value), `\`, "/")
	if strings.Contains(wanted, "/") {
		return strings.Contains(path+"/", wanted)
	}
	folders := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	return len(folders) > 0 && (slices.Contains(folders, wanted) || strings.Contains(folders[len(folders)-1], wanted))
}

// usesModel tells whether a model of that name, or one whose name contains it, has answered in a session.
func usesModel(d *digest.Digest, value string) bool {
	return contains(d.Model, value) || contains(d.About.Model, value) ||
		slices.ContainsFunc(daysIn(d), func(day digest.Day) bool { return contains(day.Model, value) })
}

// daysIn are all of a session, also those that another one counts, which it was copied from: what is in it is in it.
func daysIn(d *digest.Digest) []digest.Day {
	if len(d.Inherited) == 0 {
		return d.Days
	}
	return slices.Concat(d.Days, d.Inherited)
}

// called are the names, whatever the case, by which a tool was called in a session.
func called(d *digest.Digest, tool string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, day := range daysIn(d) {
			for name := range day.Tools {
				if strings.EqualFold(name, tool) && !yield(name) {
					return
				}
			}
		}
	}
}

// newer sorts ids of sessions, the newest first.
func (c *chooser) newer(a, b string) int {
	if order := c.all[b].Updated.Compare(c.all[a].Updated); order != 0 {
		return order
	}
	return strings.Compare(a, b)
}
