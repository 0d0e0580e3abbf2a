package backend

import (
	"iter"
	"slices"
	"strings"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
)

// contains tells whether a text contains another, whatever the case.
func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// agentWord is an agent's name as it is compared: Claude Code is claude-code, claude_code and claude.
func agentWord(name string) string {
	word := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
	if word == "claude" {
		return "claudecode"
	}
	return word
}

// worksIn tells whether a folder is, or lies in, one that a value of project: means: part of the last folder's name, or the whole
// name of any; with a slash in it, part of the path. It is generous: somebody types it.
func worksIn(cwd, value string) bool {
	path, wanted := strings.ToLower(cwd), strings.ToLower(value)
	if strings.ContainsAny(wanted, `/\`) {
		return strings.Contains(path+"/", wanted)
	}
	folders := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
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

// idBegins tells whether an id begins with a text, with or without the agent in front.
func idBegins(id, text string) bool {
	id, text = strings.ToLower(id), strings.ToLower(text)
	_, after, foreign := strings.Cut(id, ":")
	return strings.HasPrefix(id, text) || foreign && strings.HasPrefix(after, text)
}

const (
	// idLeast is the length from which a word may be the beginning of an id.
	idLeast = 8
	// namedMost is how many sessions a word may mean by their ids.
	namedMost = 5
)

// byID are the sessions whose id the one word of a query is, or begins; the rest of the search leaves them out. Words without a
// digit are words.
func (s *searching) byID(q *index.Query) []SearchHit {
	if len(s.query.Terms) != 1 || s.scopes != nil || s.aboutTexts() {
		return nil
	}
	word := s.query.Terms[0]
	if word.Regex || len(word.Text) < idLeast || !strings.ContainsAny(word.Text, "0123456789") || strings.ContainsAny(word.Text, " \t\n") {
		return nil
	}
	var ids []string
	for id := range s.all {
		if idBegins(id, word.Text) && s.keeps(id) {
			ids = append(ids, id)
		}
	}
	if len(ids) > namedMost {
		return nil
	}
	slices.SortFunc(ids, s.newer)
	keep := q.Keep
	q.Keep = func(id string) bool { return !slices.Contains(ids, id) && (keep == nil || keep(id)) }
	var hits []SearchHit
	for _, id := range ids {
		if row, ok := s.row(id); ok {
			at := strings.Index(strings.ToLower(id), strings.ToLower(word.Text))
			end := at + len(word.Text)
			row.Count = 1
			row.Hit = &SearchPlace{Scope: index.Name.String(), Excerpt: Excerpt{Before: id[:at], Match: id[at:end], After: id[end:]}}
			hits = append(hits, row)
		}
	}
	return hits
}

// newer sorts ids of sessions, the newest first.
func (c *chooser) newer(a, b string) int {
	if order := c.all[b].Updated.Compare(c.all[a].Updated); order != 0 {
		return order
	}
	return strings.Compare(a, b)
}
